import { Readable } from 'node:stream';
import { UnusableOutputError } from '#api/adapters/generation-engines/generation-engine.ts';
import { FalUnreachableError } from './fal-errors.ts';
import type { FalHosts } from './fal-hosts.ts';

const LOOK_TIMEOUT_MS = 30_000;
const FILE_TIMEOUT_MS = 5 * 60_000;
const REDIRECTS_MAX = 3;
/** Far more than any model makes. */
const FILE_MAX_BYTES = 300 * 1024 * 1024;

/** What is found at the address of a result. */
type FileState = 'there' | 'gone' | 'too_large' | 'foreign';

/** Looks at the file of a result without fetching it. `host`: where it is. Throws FalUnreachableError. */
export async function inspectFile(hosts: FalHosts, url: string): Promise<{ state: FileState; host: string }> {
  const { response, host } = await fetchFile(hosts, 'HEAD', url, LOOK_TIMEOUT_MS);
  return { state: judgeFile(response), host };
}

function judgeFile(response: Response | null): FileState {
  if (!response) return 'foreign';
  if ([403, 404, 410].includes(response.status)) return 'gone';
  return Number(response.headers.get('content-length') ?? 0) > FILE_MAX_BYTES ? 'too_large' : 'there';
}

/**
 * Opens a file of fal. The stream fails with an UnusableOutputError when the file is too large. Throws
 * FalUnreachableError.
 */
export async function openFile(hosts: FalHosts, url: string): Promise<Readable> {
  const { response } = await fetchFile(hosts, 'GET', url, FILE_TIMEOUT_MS);
  if (!response?.ok || !response.body) {
    await response?.body?.cancel();
    throw new FalUnreachableError(`a file was answered by ${response?.status}`);
  }
  return Readable.from(limitBytes(response.body, FILE_MAX_BYTES), { objectMode: false });
}

/** Follows redirects, to `host` in the end. Null when that is no known host. The key is not sent. */
async function fetchFile(
  hosts: FalHosts,
  method: 'HEAD' | 'GET',
  url: string,
  timeoutMs: number,
): Promise<{ response: Response | null; host: string }> {
  const signal = AbortSignal.timeout(timeoutMs);
  let address = url;
  for (let hops = 0; hops <= REDIRECTS_MAX && hosts.isFile(address); hops++) {
    const response = await fetch(address, { method, redirect: 'manual', signal }).catch((error: unknown) => {
      throw new FalUnreachableError('a file cannot be fetched', error);
    });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null)
      return { response, host: new URL(address).host };
    await response.body?.cancel();
    address = new URL(location, address).href;
  }
  return { response: null, host: new URL(address).host };
}

async function* limitBytes(body: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > most) throw new UnusableOutputError(`a file of fal is larger than ${most} bytes`);
    yield chunk;
  }
}
