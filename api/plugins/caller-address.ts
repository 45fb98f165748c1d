import { BlockList, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Whoever asked is gone before it was looked where they are: there is nobody to answer. */
export class CallerGoneError extends Error {
  override name = 'CallerGoneError';
}

/**
 * The address that a request comes from, as TRUSTED_PROXIES allow. The system forgets it with the connection: throws
 * CallerGoneError when that has ended.
 */
export function getCallerAddress(request: Pick<FastifyRequest, 'ip'>): string {
  // Typed as one that is always there.
  const address: string | undefined = request.ip;
  if (address === undefined) throw new CallerGoneError('The connection has ended');
  return address;
}

/** Loopback, private networks (RFC 1918, RFC 4193) and link-local addresses; IPv4 also as it is written in IPv6. */
const PRIVATE_RANGES = new BlockList();
PRIVATE_RANGES.addSubnet('127.0.0.0', 8);
PRIVATE_RANGES.addSubnet('10.0.0.0', 8);
PRIVATE_RANGES.addSubnet('172.16.0.0', 12);
PRIVATE_RANGES.addSubnet('192.168.0.0', 16);
PRIVATE_RANGES.addSubnet('169.254.0.0', 16);
PRIVATE_RANGES.addAddress('::1', 'ipv6');
PRIVATE_RANGES.addSubnet('fc00::', 7, 'ipv6');
PRIVATE_RANGES.addSubnet('fe80::', 10, 'ipv6');

/**
 * Whether a request comes from this machine or its own network. One that was forwarded by a proxy we do not trust
 * (TRUSTED_PROXIES) does not count: the address we see is the proxy's. Throws CallerGoneError.
 */
export function isFromPrivateNetwork(request: FastifyRequest): boolean {
  const address = getCallerAddress(request);
  const isForwarderUnknown =
    request.headers['x-forwarded-for'] !== undefined && address === request.socket.remoteAddress;
  return !isForwarderUnknown && PRIVATE_RANGES.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
