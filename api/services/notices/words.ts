import { RESULT_WORDS, type ResultKind } from '#shared/rules/tools.ts';

/** How a generation ended, as its owner is told. */
export interface Ending {
  made: ResultKind;
  isCompleted: boolean;
  failureCode: string | null;
}

/** The same words on every channel. */
export function describeEnding({ made, isCompleted, failureCode }: Ending): { title: string; body: string } {
  if (isCompleted) return { title: RESULT_WORDS[made].notice.completed, body: 'Откройте, чтобы посмотреть и скачать.' };
  const reason = failureCode === 'photo_unsuitable' ? 'Это фото не подошло, попробуйте другое. ' : '';
  return { title: RESULT_WORDS[made].notice.failed, body: `${reason}Звёзды вернулись на баланс.` };
}
