import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';

/** How a generation ended, as its owner is told. */
export interface Ending {
  kind: GenerationKind;
  isCompleted: boolean;
  failureCode: string | null;
}

const TITLES = {
  video: { completed: 'Видео готово', failed: 'Видео не получилось' },
  model_change: { completed: 'Фото с новой моделью готово', failed: 'Смена модели не получилась' },
  photosession: { completed: 'Фотосессия готова', failed: 'Фотосессия не получилась' },
} as const satisfies Record<GenerationKind, { completed: string; failed: string }>;

/** The same words on every channel. */
export function describeEnding({ kind, isCompleted, failureCode }: Ending): { title: string; body: string } {
  if (isCompleted) return { title: TITLES[kind].completed, body: 'Откройте, чтобы посмотреть и скачать.' };
  const reason = failureCode === 'photo_unsuitable' ? 'Это фото не подошло, попробуйте другое. ' : '';
  return { title: TITLES[kind].failed, body: `${reason}Звёзды вернулись на баланс.` };
}
