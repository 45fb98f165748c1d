import { nb } from '#pwa/format.ts';
import { DOWNLOAD_TEXTS, describeRefusal } from './download-access.ts';
import { DownloadError, type DownloadTarget } from './download-file.ts';

export interface FailureWords {
  title: string;
  description: string;
}

/** What happened to a download, and what to do. `failed` stands where the server gives no reason of its own. */
export function describeFailure(
  error: unknown,
  { kind }: Pick<DownloadTarget, 'kind'>,
  failed?: FailureWords,
): FailureWords {
  const title = failed?.title ?? DOWNLOAD_TEXTS.failed;
  if (!(error instanceof DownloadError)) return failed ?? { title, description: ADVICE_OTHERWISE };
  if (error.message !== DOWNLOAD_TEXTS.failed) {
    return { title: error.isLost ? FILE_LOST : title, description: nb(error.message) };
  }
  if (failed) return failed;
  if (error.status === 0) return { title, description: nb('Нет связи с сервером. Проверьте интернет и повторите') };
  const reason = describeRefusal(error.status, kind === 'video' ? 'video' : 'image');
  return { title, description: nb(`${reason}. ${ADVICE[error.status] ?? ADVICE_OTHERWISE}`) };
}

/** The title of what is said about a lost file. */
export const FILE_LOST = 'Файл потерян';

const ADVICE_OTHERWISE = 'Попробуйте ещё раз через минуту';
const ADVICE: Partial<Record<number, string>> = {
  401: 'Войдите и повторите',
  403: 'Войдите в аккаунт, в котором создан результат',
  404: 'Обновите страницу: возможно, результат удалён',
};
