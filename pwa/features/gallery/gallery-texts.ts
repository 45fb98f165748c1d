import { countResults, nb } from '#pwa/format.ts';

/** Texts of the gallery that the specification fixes, and similar ones for videos. */
export const GALLERY_TEXTS = {
  loading: 'Загрузка галереи...',
  empty: 'Галерея пуста',
  create: 'Создать изображение',
  loadFailed: 'Не удалось загрузить галерею',
  unlock: 'Разблокируйте скачивание оригиналов',
  original: 'Оригинал HD',
  download: 'Скачать',
} as const;

export const DELETE_TEXTS = {
  image: {
    question: 'Вы уверены, что хотите удалить это изображение?',
    done: 'Изображение удалено',
    failed: 'Не удалось удалить изображение',
    restored: 'Изображение восстановлено',
    restoreFailed: 'Не удалось восстановить изображение',
    gone: 'Изображение удалено навсегда',
  },
  video: {
    question: 'Вы уверены, что хотите удалить это видео?',
    done: 'Видео удалено',
    failed: 'Не удалось удалить видео',
    restored: 'Видео восстановлено',
    restoreFailed: 'Не удалось восстановить видео',
    gone: 'Видео удалено навсегда',
  },
} as const;

export function describeRestored(items: readonly { kind: keyof typeof DELETE_TEXTS }[]): string {
  const [only, another] = items;
  return only && !another ? DELETE_TEXTS[only.kind].restored : nb(`Восстановлено: ${countResults(items.length)}`);
}
