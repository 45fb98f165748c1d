import { buildUrl } from '#pwa/client/api-client.ts';
import { type ApiError, describeFileRefusal, isFileLost, readErrorAnswer } from '#pwa/client/api-error.ts';
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

/** A download, and what the page knows of it. */
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
  const { blob, headers } = await fetchFile(() => send(target), DOWNLOAD_TEXTS.imagesPremiumOnly);
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
  const url = buildUrl(streamVideo, { params: { id: videoId }, query: { download: '1' } });
  const { blob, headers } = await fetchFile(
    () => fetch(url, { credentials: 'same-origin' }),
    DOWNLOAD_TEXTS.premiumOnly,
  );
  saveBlob(blob, readFileName(headers.get('content-disposition')) ?? `podium-${shortId(videoId)}.mp4`);

  const publicUrl = new URL(url, location.origin);
  const videoUrl = publicUrl.origin + publicUrl.pathname;
  trackEvent('video_download', { video_id: videoId, video_url: videoUrl });
  recordServerEvent({ event_name: 'video_download', video_id: videoId, details: { videoUrl } });
}

async function fetchFile(ask: () => Promise<Response>, premiumText: string): Promise<{ blob: Blob; headers: Headers }> {
  try {
    const response = await ask();
    if (response.ok) return { blob: await response.blob(), headers: response.headers };
    const error = readErrorAnswer(response.status, response.statusText, await response.text());
    throw new DownloadError(describeDownloadRefusal(error, premiumText), { isLost: isFileLost(error) });
  } catch (error) {
    throw error instanceof DownloadError ? error : new DownloadError(DOWNLOAD_TEXTS.failed);
  }
}

function send(target: Extract<DownloadTarget, { kind: 'image' | 'export' }>): Promise<Response> {
  if (target.kind === 'export') {
    const url = buildUrl(exportResult, { params: { id: target.resultId }, query: { fix: target.fix } });
    return fetch(url, { credentials: 'same-origin' });
  }
  return fetch(downloadImage.path, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ imageId: target.imageId }),
  });
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
