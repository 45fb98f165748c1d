import * as z from 'zod/mini';
import { isOwnPath } from '#shared/rules/own-path.ts';

const wayBack = z.object({
  /** A path of this site with its query. */
  path: z.string().check(z.refine(isOwnPath)),
  /** The text of the link to it. */
  label: z.string(),
  /** What the person was doing there: «Фотосессия по 1 фото», «Скачать видео». */
  purpose: z.string(),
});
/** A page to return to after a payment. */
export type WayBack = z.infer<typeof wayBack>;

/** The state of a link to the buy-stars dialog that carries on the buyer's way back. */
export function keepWayBack(place: WayBack | null): { wayBack: WayBack } | null {
  return place && { wayBack: { path: place.path, label: place.label, purpose: place.purpose } };
}

/** The way back that `keepWayBack` put into the state of the history entry; null without one. */
export function readWayBack(state: unknown): WayBack | null {
  return z.object({ wayBack }).safeParse(state).data?.wayBack ?? null;
}
