import * as z from 'zod/mini';
import { isOwnPath } from '#shared/rules/own-path.ts';
import { parseUrl } from '#shared/rules/parse-url.ts';

/** Marks a declarative push message. Safari 18.4 shows it without a worker. */
export const DECLARATIVE_PUSH = 8030;
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
    navigate: ownAddress,
    lang: z.literal('ru'),
    tag: z.string().check(z.minLength(1), z.maxLength(100)),
    icon: ownAddress,
    image: z.optional(ownAddress),
  }),
  /** Number on the app's icon: results that are not seen yet. 0 removes it. */
  app_badge: z.optional(z.int().check(z.minimum(0))),
});
export type PushMessage = z.infer<typeof pushMessage>;

function isWebAddress(address: string): boolean {
  return /^https?:$/.test(parseUrl(address)?.protocol ?? '');
}
