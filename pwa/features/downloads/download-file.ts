import { buildUrl } from '#pwa/client/api-client.ts';
import { ApiError, describeFileRefusal, isFileLost } from '#pwa/client/api-error.ts';
import { fetchFile } from '#pwa/client/fetch-file.ts';
import { downloadIfAllowed, saveBlob } from '#pwa/device/save-file.ts';
import { recordServerEvent } from '#pwa/features/consent/server-events.ts';
import { trackEvent } from '#pwa/features/consent/tag-manager.ts';
import type { WantedDownload } from '#pwa/features/generations/wanted-download.ts';
import { downloadImage, exportResult } from '#shared/contract/downloads.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import { downloadArchive } from '#shared/contract/gallery.ts';
import { downloadPhotosession } from '#shared/contract/photosessions.ts';
import { streamVideo } from '#shared/contract/videos.ts';
import { nameDownload } from '#shared/rules/download-names.ts';
import { shortId } from '#shared/rules/short-id.ts';
import { DOWNLOAD_TEXTS } from './download-access.ts';

export type DownloadTarget = WantedDownload & {
  title?: string;
  pictureUrl: string | null;
};

/** A failed download. Its message is for people. */
export class DownloadError extends Error {
  override name = 'DownloadError';
  /** Whether the file is lost, so that a repeat would not help. */
  readonly isLost: boolean;

  constructor(message: string, { isLost = false } = {}) {
    super(message);
    this.isLost = isLost;
  }
}

/** Fetches a file and saves it. Throws DownloadError. */
export async function downloadTarget(target: DownloadTarget): Promise<void> {
  if (target.kind === 'archive') {
    return downloadZip(buildUrl(downloadArchive, { query: { ids: target.ids.join(',') } }));
  }
  if (target.kind === 'session')
    return downloadZip(buildUrl(downloadPhotosession, { params: { id: target.sessionId } }));
  if (target.kind === 'video') return downloadVideo(target.videoId);
  const { blob, headers } = await fetchPicture(target);
  const title = target.title ?? `image_${target.kind === 'image' ? target.imageId : target.resultId}`;
  const ownName = nameDownload({ title, contentType: blob.type });
  saveBlob(blob, readFileName(headers.get('content-disposition')) ?? ownName);
}

const ARCHIVE_REFUSALS: Partial<Record<number, string>> = {
  401: 'Сессия завершена. Войдите и повторите',
  402: DOWNLOAD_TEXTS.premiumOnly,
  404: 'Некоторых файлов больше нет. Обновите страницу и повторите',
  410: 'Файлы этих результатов потеряны на сервере. Звёзды за них можно вернуть в галерее',
  429: ERRORS.too_many_requests.message,
  503: ERRORS.unavailable.message,
};

/** Has the browser download a ZIP. Throws DownloadError when the server refuses it. */
async function downloadZip(url: string): Promise<void> {
  const refusal = await downloadIfAllowed(url);
  if (refusal === null) return;
  throw new DownloadError(ARCHIVE_REFUSALS[refusal] ?? DOWNLOAD_TEXTS.failed, { isLost: refusal === 410 });
}

async function downloadVideo(videoId: string): Promise<void> {
  const input = { params: { id: videoId }, query: { download: '1' } };
  const { blob, headers } = await fetchOriginal(DOWNLOAD_TEXTS.premiumOnly, streamVideo, input);
  saveBlob(blob, readFileName(headers.get('content-disposition')) ?? `podium-${shortId(videoId)}.mp4`);

  const publicUrl = new URL(buildUrl(streamVideo, input), location.origin);
  const videoUrl = publicUrl.origin + publicUrl.pathname;
  trackEvent('video_download', { video_id: videoId, video_url: videoUrl });
  recordServerEvent({ event_name: 'video_download', video_id: videoId, details: { videoUrl } });
}

/** Fetches an original. Throws DownloadError. `premiumText`: what is said to accounts that have never paid. */
async function fetchOriginal(premiumText: string, ...request: Parameters<typeof fetchFile>) {
  try {
    return await fetchFile(...request);
  } catch (error) {
    if (!(error instanceof ApiError)) throw new DownloadError(DOWNLOAD_TEXTS.failed);
    throw new DownloadError(describeDownloadRefusal(error, premiumText), { isLost: isFileLost(error) });
  }
}

function fetchPicture(target: Extract<DownloadTarget, { kind: 'image' | 'export' }>) {
  const { imagesPremiumOnly } = DOWNLOAD_TEXTS;
  if (target.kind === 'image') {
    return fetchOriginal(imagesPremiumOnly, downloadImage, { body: { imageId: target.imageId } });
  }
  const { resultId: id, fix } = target;
  return fetchOriginal(imagesPremiumOnly, exportResult, { params: { id }, query: { fix } });
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
