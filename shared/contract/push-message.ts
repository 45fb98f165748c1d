import * as z from 'zod/mini';
import { parseUrl } from '#shared/rules/parse-url.ts';

/** Marks a declarative push message. Safari 18.4 shows it without a worker. */
export const DECLARATIVE_PUSH = 8030;
/** A push service accepts 4096 encrypted bytes, which leaves this much text. */
export const PUSH_MESSAGE_MAX_BYTES = 3993;

/**
 * The server sends absolute addresses, because Safari shows a message without a page or worker that could resolve a
 * path. A worker reads them with `toOwnPath`, so that a message never leads to another site.
 */
const ownAddress = z.string().check(
  z.maxLength(1000),
  z.refine((address) => isOwnPath(address) || isWebAddress(address), 'neither a path of this site nor an address'),
);

/**
 * What the server pushes to a browser, as JSON. The names are those of the Push API's declarative message. Other
 * browsers pass the same bytes to our worker.
 */
export const pushMessage = z.object({
  web_push: z.literal(DECLARATIVE_PUSH),
  notification: z.object({
    title: z.string().check(z.minLength(1), z.maxLength(200)),
    body: z.string().check(z.maxLength(1000)),
    /** The address that a click opens. */
    navigate: ownAddress,
    lang: z.literal('ru'),
    /** A later message with the same tag replaces the earlier one. */
    tag: z.string().check(z.minLength(1), z.maxLength(100)),
    icon: ownAddress,
    image: z.optional(ownAddress),
  }),
  /** Number on the app's icon: results that are not seen yet. 0 removes it. */
  app_badge: z.optional(z.int().check(z.minimum(0))),
});
export type PushMessage = z.infer<typeof pushMessage>;

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

function isWebAddress(address: string): boolean {
  return /^https?:$/.test(parseUrl(address)?.protocol ?? '');
}
