import type { Endpoint } from '#shared/contract/endpoint.ts';
import { buildUrl, type LooseInput } from './api-client.ts';
import { ApiError, readErrorAnswer, UNKNOWN_ERROR } from './api-error.ts';

/** Progress is told only of files that take a while even on a phone's network. */
const LONG_FILE_BYTES = 2_000_000;

export interface FetchFileOptions {
  signal?: AbortSignal | undefined;
  /** Told the whole percent of a long file that has come; never called for a short one. */
  onProgress?: ((percent: number) => void) | undefined;
}

/** Fetches the file that an endpoint answers with. Throws ApiError. */
export async function fetchFile(
  endpoint: Endpoint,
  input: LooseInput,
  { signal, onProgress }: FetchFileOptions = {},
): Promise<{ blob: Blob; headers: Headers }> {
  const { body } = input;
  const json = body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const request = { method: endpoint.method, credentials: 'same-origin', ...json, ...(signal && { signal }) } as const;
  const response = await fetch(buildUrl(endpoint, input), request).catch(throwUnanswered);
  if (!response.ok) throw readErrorAnswer(response.status, response.statusText, await response.text());
  const blob = await readBlob(response, onProgress).catch(throwUnanswered);
  return { blob, headers: response.headers };
}

function throwUnanswered(): never {
  throw new ApiError(0, UNKNOWN_ERROR);
}

async function readBlob(response: Response, onProgress: FetchFileOptions['onProgress']): Promise<Blob> {
  const total = Number(response.headers.get('content-length'));
  if (!onProgress || !response.body || !(total >= LONG_FILE_BYTES)) return response.blob();
  const reader = response.body.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let told = -1;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    chunks.push(part.value);
    bytes += part.value.byteLength;
    const percent = Math.min(100, Math.floor((bytes / total) * 100));
    if (percent !== told) onProgress(percent);
    told = percent;
  }
  return new Blob(chunks, { type: response.headers.get('content-type') ?? '' });
}
