import { z } from 'zod';
import { buildUrl } from '#pwa/lib/api-client.ts';
import { DOWNLOAD_TEXTS } from '#pwa/lib/download-access.ts';
import { followDownload, saveBlob } from '#pwa/lib/save-file.ts';
import { downloadImage, exportResult } from '#shared/contract/downloads.ts';
import { nameDownload } from '#shared/rules/download-names.ts';
import type { ExportFix } from '#shared/rules/marketplaces.ts';

/** Originals that a paid account can have. */
export type DownloadTarget =
  | { kind: 'image'; imageId: string; title: string; pictureUrl: string }
  /** A result made fit for a marketplace. */
  | { kind: 'export'; resultId: string; fix: ExportFix; title: string; pictureUrl: string | null }
  /** A ZIP of `count` files, which the browser downloads by itself. */
  | { kind: 'archive'; url: string; count: number; pictureUrl: string | null };

/** A download that did not happen; the message is for a person. */
export class DownloadError extends Error {
  override name = 'DownloadError';
}

const refusal = z.object({ upgradeMessage: z.string().optional(), message: z.string().optional() });

/** Fetches the file and hands it to the browser; a ZIP goes straight to the disk. Throws DownloadError. */
export async function downloadTarget(target: DownloadTarget): Promise<void> {
  if (target.kind === 'archive') return followDownload(target.url);
  const response = await request(target);
  const blob = await response.blob().catch(() => {
    throw new DownloadError(DOWNLOAD_TEXTS.failed);
  });
  const fallback = `image_${target.kind === 'image' ? target.imageId : target.resultId}`;
  const ownName = nameDownload({ title: target.title, contentType: blob.type, fallback });
  saveBlob(blob, readFileName(response.headers.get('content-disposition')) ?? ownName);
}

async function request(target: Exclude<DownloadTarget, { kind: 'archive' }>): Promise<Response> {
  const response = await send(target).catch(() => {
    throw new DownloadError(DOWNLOAD_TEXTS.failed);
  });
  if (response.ok) return response;
  const body = refusal.safeParse(await response.json().catch(() => null)).data;
  throw new DownloadError(describeDownloadRefusal(response.status, body ?? {}));
}

function send(target: Exclude<DownloadTarget, { kind: 'archive' }>): Promise<Response> {
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

/** What a person reads when the server gives no file. */
export function describeDownloadRefusal(status: number, body: z.infer<typeof refusal>): string {
  if (status === 402) return body.upgradeMessage ?? DOWNLOAD_TEXTS.imagesPremiumOnly;
  return DOWNLOAD_TEXTS.failed;
}

/** The UTF-8 name in a Content-Disposition header (RFC 5987), or null. */
export function readFileName(disposition: string | null): string | null {
  const encoded = disposition?.match(/filename\*=UTF-8''([^;\s]+)/i)?.[1];
  if (!encoded) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
