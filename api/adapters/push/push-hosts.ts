/**
 * Whether `endpoint` is an https address at one of `hosts`: a name, a name with a port, or `*.` and a domain. A browser
 * names its endpoint itself, so without this list our server would write to any address that somebody asks for.
 */
export function isPushHost(endpoint: string, hosts: readonly string[]): boolean {
  const address = URL.parse(endpoint);
  if (address?.protocol !== 'https:' || address.username || address.password) return false;
  return hosts.some((host) =>
    host.startsWith('*.') ? address.host.endsWith(host.slice(1).toLowerCase()) : address.host === host.toLowerCase(),
  );
}
