import { buildUrl } from '#pwa/client/api-client.ts';
import { ApiError, describeFileRefusal } from '#pwa/client/api-error.ts';
import { type FetchFileOptions, fetchFile } from '#pwa/client/fetch-file.ts';
import { toast } from '#pwa/components/toast.ts';
import { downloadIfAllowed, saveFile } from '#pwa/device/save-file.ts';
import { recordServerEvent } from '#pwa/features/consent/server-events.ts';
import { trackEvent } from '#pwa/features/consent/tag-manager.ts';
import type { WantedDownload } from '#pwa/features/generations/wanted-download.ts';
import type { WayBack } from '#pwa/features/generations/way-back.ts';
import { nb } from '#pwa/format.ts';
import { downloadImage, exportResult } from '#shared/contract/downloads.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import { downloadArchive } from '#shared/contract/gallery.ts';
import { downloadPack } from '#shared/contract/packs.ts';
import { downloadPhotosession } from '#shared/contract/photosessions.ts';
import { streamVideo } from '#shared/contract/videos.ts';
import { nameDownload } from '#shared/rules/download-names.ts';
import { shortId } from '#shared/rules/short-id.ts';
import { DOWNLOAD_TEXTS } from './download-access.ts';

/**
 * `picture`: a result of which only the address is known. `pack`: a ZIP for a marketplace, made before or to be made, and
 * the way back to it from a payment.
 */
export type DownloadTarget = (
  | WantedDownload
  | { kind: 'picture'; url: string }
  | { kind: 'pack'; packId: string; wayBack: WayBack | null }
) & {
  pictureUrl: string | null;
  /** Replaces the name that the server gives the file. */
  fileName?: string;
};

/** One file, as it is. */
export type FileTarget = Extract<DownloadTarget, { kind: 'video' | 'image' | 'picture' | 'export' }>;

/** A failed download. Its message is for people. */
export class DownloadError extends Error {
  override name = 'DownloadError';
  /** The status of the server's answer; 0 without one. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }

  /** Whether the file is lost, so that a repeat would not help. */
  get isLost(): boolean {
    return this.status === 410;
  }
}

/**
 * `begun`: the browser itself downloads it. `unsaved`: the person has closed the sheet that saves it, or is asked for the
 * press that opens it.
 */
type DownloadOutcome = 'saved' | 'begun' | 'unsaved';

export const OUTCOME_TEXTS = {
  saved: 'Файл сохранён',
  begun: 'Загрузка началась',
  unsaved: null,
} as const satisfies Record<DownloadOutcome, string | null>;

/** Fetches what is wanted and saves it. Throws DownloadError. */
export async function downloadTarget(target: DownloadTarget, options: FetchFileOptions = {}): Promise<DownloadOutcome> {
  if (target.kind === 'archive') {
    return downloadZip(buildUrl(downloadArchive, { query: { ids: target.ids.join(',') } }));
  }
  if (target.kind === 'session') {
    return downloadZip(buildUrl(downloadPhotosession, { params: { id: target.sessionId } }));
  }
  if (target.kind === 'pack') {
    return downloadZip(buildUrl(downloadPack, { params: { id: target.packId } }), PACK_REFUSALS);
  }
  const file = await fetchOriginal(target, options);
  const outcome = await saveFile(file).catch(() => {
    throw new DownloadError(DOWNLOAD_TEXTS.failed, 0);
  });
  if (outcome === 'press_needed') offerSaving(file, target);
  if (outcome !== 'saved') return 'unsaved';
  recordTaken(target);
  return 'saved';
}

/** Offers the press that saves a file which is fetched already. */
function offerSaving(file: File, target: FileTarget): void {
  const save = async () => {
    try {
      const outcome = await saveFile(file);
      if (outcome === 'press_needed') offerSaving(file, target);
      if (outcome !== 'saved') return;
      recordTaken(target);
      toast({ title: OUTCOME_TEXTS.saved, tone: 'success' });
    } catch {
      toast({ title: DOWNLOAD_TEXTS.failed, description: nb('Скачайте его ещё раз'), tone: 'danger' });
    }
  };
  toast({ title: 'Файл готов', action: { label: 'Сохранить', onSelect: () => void save() } });
}

const ARCHIVE_REFUSALS: Partial<Record<number, string>> = {
  401: 'Сессия завершена. Войдите и повторите',
  402: DOWNLOAD_TEXTS.premiumOnly,
  404: 'Некоторых файлов больше нет. Обновите страницу и повторите',
  410: 'Файлы этих результатов потеряны на сервере. Звёзды за них можно вернуть в галерее',
  429: ERRORS.too_many_requests.message,
  503: ERRORS.unavailable.message,
};

const PACK_REFUSALS: typeof ARCHIVE_REFUSALS = {
  ...ARCHIVE_REFUSALS,
  404: ERRORS.pack_not_found.message,
  409: ERRORS.pack_not_ready.message,
  410: 'Пакет потерян на сервере. Соберите его ещё раз',
};

/** Has the browser download a ZIP. Throws DownloadError when the server refuses it. */
async function downloadZip(url: string, refusals = ARCHIVE_REFUSALS): Promise<DownloadOutcome> {
  const refusal = await downloadIfAllowed(url);
  if (refusal === null) return 'begun';
  throw new DownloadError(refusals[refusal] ?? DOWNLOAD_TEXTS.failed, refusal);
}

/** Fetches an original, under the name that it is saved by. Throws DownloadError. */
export async function fetchOriginal(target: FileTarget, options: FetchFileOptions = {}): Promise<File> {
  const { request, premiumText, nameless } = describeRequest(target);
  try {
    const { blob, headers } = await fetchFile(...request, options);
    const name = target.fileName ?? readFileName(headers.get('content-disposition'));
    return new File([blob], name ?? nameDownload({ title: nameless, contentType: blob.type }), { type: blob.type });
  } catch (error) {
    if (!(error instanceof ApiError)) throw new DownloadError(DOWNLOAD_TEXTS.failed, 0);
    throw new DownloadError(describeDownloadRefusal(error, premiumText), error.status);
  }
}

type FileRequest = [endpoint: Parameters<typeof fetchFile>[0], input: Parameters<typeof fetchFile>[1]];

/** `premiumText`: what is said to accounts that have never paid. `nameless`: the name where the server gives none. */
function describeRequest(target: FileTarget): { request: FileRequest; premiumText: string; nameless: string } {
  if (target.kind === 'video') {
    const nameless = `podium-${shortId(target.videoId)}`;
    return { request: requestVideo(target.videoId), premiumText: DOWNLOAD_TEXTS.premiumOnly, nameless };
  }
  const premiumText = DOWNLOAD_TEXTS.imagesPremiumOnly;
  if (target.kind === 'export') {
    const { resultId: id, fix } = target;
    return { request: [exportResult, { params: { id }, query: { fix } }], premiumText, nameless: `image_${id}` };
  }
  if (target.kind === 'picture') {
    return { request: [downloadImage, { body: { url: target.url } }], premiumText, nameless: 'image' };
  }
  const { imageId } = target;
  return { request: [downloadImage, { body: { imageId } }], premiumText, nameless: `image_${imageId}` };
}

function requestVideo(videoId: string): FileRequest {
  return [streamVideo, { params: { id: videoId }, query: { download: '1' } }];
}

/** Counts that an original has been taken away. Only videos are counted. */
export function recordTaken(target: FileTarget): void {
  if (target.kind !== 'video') return;
  const publicUrl = new URL(buildUrl(...requestVideo(target.videoId)), location.origin);
  const videoUrl = publicUrl.origin + publicUrl.pathname;
  trackEvent('video_download', { video_id: target.videoId, video_url: videoUrl });
  recordServerEvent({ event_name: 'video_download', video_id: target.videoId, details: { videoUrl } });
}

/** The message for people when the server refuses the file. */
export function describeDownloadRefusal(error: ApiError, premiumText: string): string {
  if (error.status === 402) return error.details.upgradeMessage ?? premiumText;
  return describeFileRefusal(error) ?? DOWNLOAD_TEXTS.failed;
}

/** The UTF-8 file name of a Content-Disposition header (RFC 5987); null when there is none. */
export function readFileName(disposition: string | null): string | null {
  const encoded = disposition?.match(/filename\*=UTF-8''([^;\s]+)/i)?.[1];
  if (!encoded) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
