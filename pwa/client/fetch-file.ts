import type { Endpoint } from '#shared/contract/endpoint.ts';
import { buildUrl, type LooseInput } from './api-client.ts';
import { ApiError, readErrorAnswer, UNKNOWN_ERROR } from './api-error.ts';

/** Fetches the file that an endpoint answers with. Throws ApiError. */
export async function fetchFile(endpoint: Endpoint, input: LooseInput): Promise<{ blob: Blob; headers: Headers }> {
  const { body } = input;
  const json = body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const request = { method: endpoint.method, credentials: 'same-origin', ...json } as const;
  const response = await fetch(buildUrl(endpoint, input), request).catch(() => {
    throw new ApiError(0, UNKNOWN_ERROR);
  });
  if (!response.ok) throw readErrorAnswer(response.status, response.statusText, await response.text());
  return { blob: await response.blob(), headers: response.headers };
}
