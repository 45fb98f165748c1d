import { parseUrl } from './parse-url.ts';

/** Whether browsers resolve the path within this site. */
export function isOwnPath(path: string): boolean {
  // Browsers read a backslash as a slash and drop control characters, so both can disguise //evil.example.
  if (!/^\/(?![/\\])/.test(path) || /[\\\p{Cc}]/u.test(path)) return false;
  // «/app/..//evil.example» becomes «//evil.example» only when it is resolved.
  const url = parseUrl(path, 'https://own.invalid');
  return url?.origin === 'https://own.invalid' && !url.pathname.startsWith('//');
}

/** The path of an address at `origin`, or the path itself. Null for an address elsewhere. */
export function toOwnPath(address: string, origin: string): string | null {
  if (isOwnPath(address)) return address;
  const url = parseUrl(address);
  if (url?.origin !== origin) return null;
  const path = `${url.pathname}${url.search}${url.hash}`;
  return isOwnPath(path) ? path : null;
}
