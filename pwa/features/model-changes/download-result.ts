import { buildUrl } from '#pwa/client/api-client.ts';
import { ApiError, readErrorAnswer } from '#pwa/client/api-error.ts';
import { saveBlob } from '#pwa/device/save-file.ts';
import { downloadImage } from '#shared/contract/downloads.ts';
import type { ModelChangeResult } from './shown-change.ts';

/** Fetches the original of a result and saves it as a file. Throws ApiError. */
export async function downloadResult({ imageId, afterUrl }: Pick<ModelChangeResult, 'imageId' | 'afterUrl'>) {
  const blob = await fetchOriginal(imageId === null ? { url: afterUrl } : { imageId });
  saveBlob(blob, nameResultFile(Date.now()));
}

/** `change-model-result-1795000000000.jpg` */
export function nameResultFile(timestampMs: number): string {
  return `change-model-result-${timestampMs}.jpg`;
}

async function fetchOriginal(body: { imageId: string } | { url: string }): Promise<Blob> {
  const response = await fetch(buildUrl(downloadImage, {}), {
    method: downloadImage.method,
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new ApiError(0, 'Unknown error');
  });
  if (response.ok) return response.blob();
  throw readErrorAnswer(response.status, response.statusText, await response.text());
}
