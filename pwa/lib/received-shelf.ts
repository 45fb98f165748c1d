import { z } from 'zod';
import { readStoredPart, type StorageOwner, type StoredParts, updateStored } from './storage.ts';

/** One file alone was kept under this name once: it does not fit the schema, and goes. */
const NAME = 'receivedFile';
/** So many may wait, beside the first ones of their shares. */
export const WAITING_MAX = 10;
const DAY_MS = 24 * 3600_000;
/** What nobody has taken up for so long was given up. */
const UNCLAIMED_KEPT_MS = DAY_MS;
const WAITING_KEPT_MS = 7 * DAY_MS;

const receivedPhoto = z.object({
  id: z.uuid(),
  name: z.string(),
  type: z.string(),
  receivedAt: z.number(),
  /** Among those that came together. */
  place: z.int(),
  /** To be taken at once, and not only when somebody presses it. */
  isFirst: z.boolean(),
  /** Whether more came together with it. */
  hasOthers: z.boolean(),
  /** A small JPEG, made by the page that shows it first; null when the browser cannot read the photo. */
  preview: z.instanceof(ArrayBuffer).nullable().optional(),
});
export type ReceivedPhoto = z.infer<typeof receivedPhoto>;

const leftOut = z.object({
  /** More than may wait. */
  tooMany: z.int(),
  /** The device had no room. */
  notKept: z.int(),
  notPhotos: z.int(),
});
/** How many files could not be kept, by the reason. */
export type LeftOut = z.infer<typeof leftOut>;
export const NONE_LEFT_OUT: LeftOut = { tooMany: 0, notKept: 0, notPhotos: 0 };

const shelf = z.object({
  photos: z.array(receivedPhoto),
  /** Not told yet. */
  leftOut,
});
/** The photos that wait for one owner, newest first. Their files are its parts. */
export type Shelf = z.infer<typeof shelf>;
const EMPTY: Shelf = { photos: [], leftOut: NONE_LEFT_OUT };

/** What waits for the owner; what has waited too long is removed. */
export function readShelf(owner: StorageOwner): Promise<Shelf> {
  return changeShelf(owner, (now) => now);
}

/**
 * Puts a photo on the shelf and gives whether it was taken: not when too many wait. The first of a share always is, and what
 * waits is never displaced. Rejects when the device has no room.
 */
export async function putOnShelf(owner: StorageOwner, photo: ReceivedPhoto, bytes: ArrayBuffer): Promise<boolean> {
  let isTaken = true;
  await changeShelf(owner, (now, parts) => {
    const before = now.photos.filter(({ id }) => id !== photo.id);
    isTaken = isFirstOfShare(photo) || before.filter((other) => !isFirstOfShare(other)).length < WAITING_MAX;
    if (!isTaken) return now;
    // One at a time is to be taken at once: the newest.
    const others = photo.isFirst ? before.map((other) => ({ ...other, isFirst: false })) : before;
    parts.put(photo.id, bytes);
    const photos = [photo, ...others].sort((a, b) => b.receivedAt - a.receivedAt || a.place - b.place);
    return { ...now, photos };
  });
  return isTaken;
}

/** The file of a photo; null when it has gone. */
export async function readFromShelf(owner: StorageOwner, { id, name, type }: ReceivedPhoto): Promise<File | null> {
  // Plain bytes: iOS loses the connection to its database over a Blob of the camera.
  const bytes = await readStoredPart(owner, NAME, id);
  return bytes instanceof ArrayBuffer ? new File([bytes], name, { type }) : null;
}

export async function removeFromShelf(owner: StorageOwner, ids: readonly string[]): Promise<void> {
  await changeShelf(owner, (now, parts) => {
    for (const id of ids) parts.remove(id);
    return { ...now, photos: now.photos.filter(({ id }) => !ids.includes(id)) };
  });
}

export async function changeOnShelf(
  owner: StorageOwner,
  id: string,
  change: Partial<Pick<ReceivedPhoto, 'isFirst' | 'preview'>>,
): Promise<void> {
  await changeShelf(owner, (now) => ({
    ...now,
    photos: now.photos.map((photo) => (photo.id === id ? { ...photo, ...change } : photo)),
  }));
}

/** Remembers what was left out until it is told; `NONE_LEFT_OUT` when it has been. */
export async function noteLeftOut(owner: StorageOwner, left: LeftOut): Promise<void> {
  await changeShelf(owner, (now) => ({ ...now, leftOut: left }));
}

export async function clearShelf(owner: StorageOwner): Promise<void> {
  await changeShelf(owner, ({ photos }, parts) => {
    for (const { id } of photos) parts.remove(id);
    return EMPTY;
  });
}

export function addLeftOut(one: LeftOut, other: LeftOut): LeftOut {
  return {
    tooMany: one.tooMany + other.tooMany,
    notKept: one.notKept + other.notKept,
    notPhotos: one.notPhotos + other.notPhotos,
  };
}

export function countLeftOut({ tooMany, notKept, notPhotos }: LeftOut): number {
  return tooMany + notKept + notPhotos;
}

/** Whether it still is to be taken at once, or has been. */
function isFirstOfShare({ place }: ReceivedPhoto): boolean {
  return place === 0;
}

async function changeShelf(owner: StorageOwner, to: (now: Shelf, parts: StoredParts) => Shelf): Promise<Shelf> {
  const keptMs = owner === 'device' ? UNCLAIMED_KEPT_MS : WAITING_KEPT_MS;
  const next = await updateStored(owner, NAME, shelf, (stored, parts) => {
    const now = stored ?? EMPTY;
    const old = now.photos.filter(({ receivedAt }) => Date.now() - receivedAt > keptMs);
    for (const { id } of old) parts.remove(id);
    // What was left out beside photos given up is no news any more either.
    const fresh =
      old.length > 0 ? { photos: now.photos.filter((photo) => !old.includes(photo)), leftOut: NONE_LEFT_OUT } : now;
    const then = to(fresh, parts);
    if (then.photos.length === 0 && countLeftOut(then.leftOut) === 0) return null;
    return then === stored ? stored : then;
  });
  return next ?? EMPTY;
}
