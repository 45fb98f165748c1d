import { buildUrl, type CallOptions, type LooseInput, readAnswer } from '#pwa/client/api-client.ts';
import { ApiError, UNKNOWN_ERROR } from '#pwa/client/api-error.ts';
import { noteAnswered, noteUnanswered } from '#pwa/device/connection.ts';
import { logRequest } from '#pwa/device/log.ts';
import { withResolvers } from '#pwa/device/with-resolvers.ts';
import type { Endpoint, EndpointAnswer, EndpointInput } from '#shared/contract/endpoint.ts';

/** Enough for ten megabytes over a bad mobile connection. */
export const UPLOAD_TIMEOUT_MS = 5 * 60_000;

export interface UploadOptions extends CallOptions {
  /** Receives the share of the bytes sent, 0 to 1. Browsers that cannot tell never call it. */
  onProgress?: (share: number) => void;
}

/** Sends a file with the text fields of its endpoint and reports the progress. Throws like `callApi`. */
export function uploadFile<const E extends Endpoint & { file: string }>(
  endpoint: E,
  input: EndpointInput<E>,
  { signal, headers = {}, messages, onProgress }: UploadOptions = {},
): Promise<EndpointAnswer<E>> {
  const { file, fields = {} } = input as LooseInput;
  const form = new FormData();
  // The fields come before the file: a server that parses the form as it arrives knows them when the file begins.
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value);
  if (file) form.set(endpoint.file, file);
  // fetch cannot report upload progress.
  const request = new XMLHttpRequest();
  request.open(endpoint.method, buildUrl(endpoint, input));
  // A server that vanished without closing the connection would keep the page waiting.
  request.timeout = UPLOAD_TIMEOUT_MS;
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  const { promise, resolve, reject } = withResolvers<EndpointAnswer<E>>();
  const startedAt = performance.now();
  const abort = () => request.abort();
  request.upload.onprogress = (event) => {
    if (event.lengthComputable) onProgress?.(event.loaded / event.total);
  };
  request.onload = () => {
    noteAnswered();
    try {
      resolve(readAnswer(endpoint, request.status, request.statusText, request.responseText, messages));
    } catch (error) {
      reject(error);
    }
  };
  request.onerror = request.ontimeout = () => {
    noteUnanswered();
    reject(new ApiError(0, UNKNOWN_ERROR));
  };
  request.onabort = () => reject(signal?.reason ?? new ApiError(0, UNKNOWN_ERROR));
  request.onloadend = () => {
    signal?.removeEventListener('abort', abort);
    logRequest({
      method: endpoint.method,
      path: endpoint.path,
      status: request.status,
      durationMs: performance.now() - startedAt,
    });
  };
  if (signal?.aborted) return Promise.reject(signal.reason);
  signal?.addEventListener('abort', abort);
  request.send(form);
  return promise;
}
