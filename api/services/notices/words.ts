import type { Made } from '#shared/rules/what-is-made.ts';

/** How a generation ended, as its owner is told. */
export interface Ending {
  made: Made;
  isCompleted: boolean;
  failureCode: string | null;
}

const TITLES = {
  video: { completed: 'Видео готово', failed: 'Видео не получилось' },
  model_change: { completed: 'Фото с новой моделью готово', failed: 'Смена модели не получилась' },
  background_change: { completed: 'Фото с новым фоном готово', failed: 'Смена фона не получилась' },
  photo_kept: { completed: 'Фото с прежним фоном готово', failed: 'Фото с прежним фоном не получилось' },
  photosession: { completed: 'Фотосессия готова', failed: 'Фотосессия не получилась' },
} as const satisfies Record<Made, { completed: string; failed: string }>;

/** The same words on every channel. */
export function describeEnding({ made, isCompleted, failureCode }: Ending): { title: string; body: string } {
  if (isCompleted) return { title: TITLES[made].completed, body: 'Откройте, чтобы посмотреть и скачать.' };
  const reason = failureCode === 'photo_unsuitable' ? 'Это фото не подошло, попробуйте другое. ' : '';
  return { title: TITLES[made].failed, body: `${reason}Звёзды вернулись на баланс.` };
}
