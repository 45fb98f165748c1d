import { z } from 'zod';

/** Marks a declarative push message: Safari 18.4 shows it by itself, even where no worker runs. */
export const DECLARATIVE_PUSH = 8030;
/** A push service takes 4096 encrypted bytes: so many of text. */
export const PUSH_MESSAGE_MAX_BYTES = 3993;

/**
 * The server sends absolute addresses, because Safari shows a message without a page or worker that a path would belong
 * to. A worker reads them with `toOwnPath`, so that a message never leads to another site.
 */
const ownAddress = z
  .string()
  .max(1000)
  .refine((address) => isOwnPath(address) || isWebAddress(address), 'neither a path of this site nor an address');

/**
 * What the server pushes to a browser, as JSON. The names are those of the Push API's declarative message; other
 * browsers hand the same bytes to our worker.
 */
export const pushMessage = z.object({
  web_push: z.literal(DECLARATIVE_PUSH),
  notification: z.object({
    title: z.string().min(1).max(200),
    body: z.string().max(1000),
    /** What a click opens. */
    navigate: ownAddress,
    lang: z.literal('ru'),
    /** A later message with the same tag takes the place of the earlier. */
    tag: z.string().min(1).max(100),
    icon: ownAddress,
    image: ownAddress.optional(),
  }),
  /** Results not seen yet, on the app's icon; 0 takes the number away. */
  app_badge: z.int().min(0).optional(),
});
export type PushMessage = z.infer<typeof pushMessage>;

/** Whether a text is a path that no browser reads as the address of another site. */
export function isOwnPath(path: string): boolean {
  // A backslash is read as a slash, and a control character is dropped: //evil.example in disguise.
  if (!/^\/(?![/\\])/.test(path) || /[\\\p{Cc}]/u.test(path)) return false;
  // «/app/..//evil.example» becomes «//evil.example» only when it is resolved.
  const url = URL.parse(path, 'https://own.invalid');
  return url?.origin === 'https://own.invalid' && !url.pathname.startsWith('//');
}

/** The path of an address of the site at `origin`, or the path itself; null for what leads elsewhere. */
export function toOwnPath(address: string, origin: string): string | null {
  if (isOwnPath(address)) return address;
  const url = URL.parse(address);
  if (url?.origin !== origin) return null;
  const path = `${url.pathname}${url.search}${url.hash}`;
  return isOwnPath(path) ? path : null;
}

function isWebAddress(address: string): boolean {
  return /^https?:$/.test(URL.parse(address)?.protocol ?? '');
}
