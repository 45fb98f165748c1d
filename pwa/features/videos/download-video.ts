import { z } from 'zod';
import { DOWNLOAD_TEXTS } from '#pwa/lib/download-access.ts';
import { saveBlob } from '#pwa/lib/save-file.ts';
import { recordServerEvent } from '#pwa/lib/server-events.ts';
import { trackEvent } from '#pwa/lib/tag-manager.ts';

const refusal = z.object({ upgradeMessage: z.string().optional(), message: z.string().optional() });

/** A download that did not happen; the message is for a person. */
export class DownloadError extends Error {
  override name = 'DownloadError';
}

/** Fetches the original and hands it to the browser as a file. Throws DownloadError. */
export async function downloadVideo(videoId: string, downloadUrl: string): Promise<void> {
  const blob = await fetchFile(downloadUrl);
  saveBlob(blob, `podium-${videoId.slice(0, 8)}.mp4`);

  const publicUrl = new URL(downloadUrl, location.origin);
  const videoUrl = publicUrl.origin + publicUrl.pathname;
  trackEvent('video_download', { video_id: videoId, video_url: videoUrl });
  recordServerEvent({ event_name: 'video_download', video_id: videoId, details: { videoUrl } });
}

async function fetchFile(url: string): Promise<Blob> {
  try {
    const response = await fetch(url, { credentials: 'same-origin' });
    if (response.ok) return await response.blob();
    if (response.status === 402) throw new DownloadError(await readRefusal(response));
  } catch (error) {
    if (error instanceof DownloadError) throw error;
  }
  throw new DownloadError(DOWNLOAD_TEXTS.failed);
}

async function readRefusal(response: Response): Promise<string> {
  const body = refusal.safeParse(await response.json().catch(() => null)).data;
  return body?.upgradeMessage ?? body?.message ?? DOWNLOAD_TEXTS.premiumOnly;
}
