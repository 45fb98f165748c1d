/** fal's own hosts, and those below them. The key goes only to the first ones. */
const API_HOSTS = ['fal.run', 'falrun.com', 'fal.ai'];
/** In public examples, results of the try-on model lie with its maker, FASHN. */
const FILE_HOSTS = ['fal.media', 'fal.ai', 'fal.run', 'fashn.ai'];

export type FalHosts = ReturnType<typeof createFalHosts>;

/**
 * Tells fal's addresses from foreign ones. fal returns addresses of jobs and files, and none is used unchecked.
 * `configured`: addresses that the operator has set. Their hosts count as fal's. `others`: hosts that files may be at
 * besides fal's, from the operator's table. They never get the key.
 */
export function createFalHosts(configured: readonly string[], others: readonly string[]) {
  const own = configured.map((url) => new URL(url).host);
  const isKnown = (url: string, hosts: readonly string[]) => {
    const { protocol, host } = URL.parse(url) ?? { protocol: '', host: '' };
    if (own.includes(host)) return /^https?:$/.test(protocol);
    return protocol === 'https:' && hosts.some((known) => host === known || host.endsWith(`.${known}`));
  };
  return {
    /** Whether it may get the key. */
    isApi: (url: string) => isKnown(url, API_HOSTS),
    isFile: (url: string) => isKnown(url, [...FILE_HOSTS, ...others]),
  };
}
