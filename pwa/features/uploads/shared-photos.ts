import * as z from 'zod/mini';
import { readStoredPart, type StoredParts, updateStored } from '#pwa/device/storage.ts';
import { putInFolder } from './photo-folder.ts';

const NAME = 'receivedFile';
/** The most photos that may wait, beside the first photo of a new share. */
export const WAITING_MAX = 10;
const DAY_MS = 24 * 3600_000;
/** Photos that no account has taken up for this long are abandoned. */
const UNCLAIMED_KEPT_MS = DAY_MS;
const WAITING_KEPT_MS = 7 * DAY_MS;

const receivedPhoto = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Of the folder that it was dropped with. Null when nobody knows it. */
  folder: z.nullable(z.string()),
  type: z.string(),
  receivedAt: z.number(),
  /** Its position within its share. */
  place: z.int(),
  /** Whether a page uses it at once, without a press. */
  isFirst: z.boolean(),
  /** Whether the share had more files. */
  hasOthers: z.boolean(),
  /** The account that was signed in when the photo came, or that has taken it up since; null without one. */
  owner: z.nullable(z.int()),
  /** Whether a page of the owner has taken it up, so that the person can see it waiting. */
  isTakenUp: z.boolean(),
  /** A small JPEG that the first page to show the photo makes; null when the browser cannot read the photo. */
  preview: z.optional(z.nullable(z.instanceof(ArrayBuffer))),
});
export type ReceivedPhoto = z.infer<typeof receivedPhoto>;

const leftOut = z.object({
  /** There were already too many waiting. */
  tooMany: z.int(),
  /** The device had no room. */
  notKept: z.int(),
  notPhotos: z.int(),
});
/** How many files could not be kept, by the reason. */
export type LeftOut = z.infer<typeof leftOut>;
export const NONE_LEFT_OUT: LeftOut = { tooMany: 0, notKept: 0, notPhotos: 0 };

const sharedPhotos = z.object({
  photos: z.array(receivedPhoto),
  /** Files that were left out, until the person has seen a note of them. */
  leftOut,
  /** The account that was signed in when those files came. */
  leftOutOwner: z.nullable(z.int()),
  /** Changes with each sign-out. Photos that began to arrive before the change are not stored. */
  era: z.nullable(z.uuid()),
});
/**
 * The photos that wait on this device, newest first. Their files are stored as parts of this value. A file keeps its
 * place when its photo gets another owner: this needs no extra room, and no file is lost in between.
 */
export type SharedPhotos = z.infer<typeof sharedPhotos>;
export const NO_SHARED_PHOTOS: SharedPhotos = { photos: [], leftOut: NONE_LEFT_OUT, leftOutOwner: null, era: null };

/** The account that a starting share is for. */
export type Recipient = Pick<SharedPhotos, 'era'> & Pick<ReceivedPhoto, 'owner'>;

/**
 * Changes the shared photos in one transaction and returns the new state. Expired photos are removed before `to` runs.
 * `to` may run twice and returns its argument to change nothing. Files of photos that it leaves out are removed.
 */
export async function changeSharedPhotos(
  to: (now: SharedPhotos, parts: Pick<StoredParts, 'put'>) => SharedPhotos,
): Promise<SharedPhotos> {
  const next = await updateStored('device', NAME, sharedPhotos, (stored, parts) => {
    const before = stored ?? NO_SHARED_PHOTOS;
    const then = to(withoutOld(before), parts);
    const kept = new Set(then.photos.map(({ id }) => id));
    for (const { id } of before.photos) if (!kept.has(id)) parts.remove(id);
    const isEmpty = then.photos.length === 0 && countLeftOut(then.leftOut) === 0 && then.era === null;
    return isEmpty ? null : then;
  });
  return next ?? NO_SHARED_PHOTOS;
}

/** Everything that waits on the device, of any account. Expired photos are removed. */
export function readSharedPhotos(): Promise<SharedPhotos> {
  return changeSharedPhotos((now) => now);
}

/**
 * Adds a photo and returns what became of it: `forgotten` when a sign-out has happened since it began to arrive,
 * `tooMany` when too many wait. The first photo of a share is always added; of several unused first photos the newest
 * stay, and nothing else is displaced. Rejects when the device has no room.
 */
export async function addSharedPhoto(
  photo: ReceivedPhoto,
  bytes: ArrayBuffer,
  { era }: Recipient,
): Promise<'kept' | 'tooMany' | 'forgotten'> {
  let outcome: 'kept' | 'tooMany' | 'forgotten' = 'kept';
  await changeSharedPhotos((now, parts) => {
    const isFirst = isFirstOfShare(photo);
    const beside = now.photos.filter((other) => !isFirstOfShare(other) || other.receivedAt !== photo.receivedAt);
    if (now.era !== era) outcome = 'forgotten';
    else if (!isFirst && beside.length >= WAITING_MAX) outcome = 'tooMany';
    else outcome = 'kept';
    if (outcome !== 'kept') return now;
    parts.put(photo.id, bytes);
    const surplus = isFirst ? now.photos.filter(isFirstOfShare).slice(WAITING_MAX) : [];
    const photos = [photo, ...now.photos.filter((other) => !surplus.includes(other))];
    photos.sort((a, b) => b.receivedAt - a.receivedAt || a.place - b.place);
    return { ...now, photos: photo.isFirst ? markFirst(photos, photo.id) : photos };
  });
  return outcome;
}

/** The file of a photo; null when it is gone. */
export async function readSharedFile({ id, name, folder, type }: ReceivedPhoto): Promise<File | null> {
  // The file is stored as plain bytes: iOS loses its database connection over Blobs from the camera.
  const bytes = await readStoredPart('device', NAME, id);
  return bytes instanceof ArrayBuffer ? putInFolder(new File([bytes], name, { type }), folder) : null;
}

/** Adds to the record of left out files of which the person has seen no note yet. */
export async function noteLeftOut(left: LeftOut, { owner, era }: Recipient): Promise<void> {
  await changeSharedPhotos((now) => {
    if (now.era !== era) return now;
    const before = now.leftOutOwner === owner ? now.leftOut : NONE_LEFT_OUT;
    return { ...now, leftOut: addLeftOut(before, left), leftOutOwner: owner };
  });
}

/** The shared photos without those of other accounts. */
export function withoutOthers(now: SharedPhotos, userId: number): SharedPhotos {
  return keepOf(now, (owner) => owner === null || owner === userId);
}

/**
 * The shared photos after a sign-out: only photos of other accounts stay, and the new era rejects shares that began
 * before. `userId` is null when it is unknown who has signed out; then nothing stays.
 */
export function afterSignOut(now: SharedPhotos, userId: number | null): SharedPhotos {
  const isOthers = (owner: number | null) => userId !== null && owner !== null && owner !== userId;
  return { ...keepOf(now, isOthers), era: crypto.randomUUID() };
}

/** Marks this photo as the only first one. */
export function markFirst(photos: readonly ReceivedPhoto[], firstId: string): ReceivedPhoto[] {
  return photos.map((photo) => ({ ...photo, isFirst: photo.id === firstId }));
}

export function countLeftOut({ tooMany, notKept, notPhotos }: LeftOut): number {
  return tooMany + notKept + notPhotos;
}

const NOTHING_LEFT_OUT = { leftOut: NONE_LEFT_OUT, leftOutOwner: null };

function addLeftOut(one: LeftOut, other: LeftOut): LeftOut {
  return {
    tooMany: one.tooMany + other.tooMany,
    notKept: one.notKept + other.notKept,
    notPhotos: one.notPhotos + other.notPhotos,
  };
}

/** Whether this is, or was, the first photo of its share. */
function isFirstOfShare({ place }: ReceivedPhoto): boolean {
  return place === 0;
}

function keepOf(now: SharedPhotos, isKept: (owner: number | null) => boolean): SharedPhotos {
  const photos = now.photos.filter(({ owner }) => isKept(owner));
  const isLeftOutKept = isKept(now.leftOutOwner) || countLeftOut(now.leftOut) === 0;
  if (photos.length === now.photos.length && isLeftOutKept) return now;
  return { ...now, photos, ...(isLeftOutKept ? {} : NOTHING_LEFT_OUT) };
}

function withoutOld(now: SharedPhotos): SharedPhotos {
  const isOld = ({ receivedAt, isTakenUp }: ReceivedPhoto) =>
    Date.now() - receivedAt > (isTakenUp ? WAITING_KEPT_MS : UNCLAIMED_KEPT_MS);
  const old = now.photos.filter(isOld);
  if (old.length === 0) return now;
  // When unclaimed photos expire, the files left out beside them are no longer news either.
  const isGivenUp = old.some(({ isTakenUp }) => !isTakenUp);
  return { ...now, photos: now.photos.filter((photo) => !old.includes(photo)), ...(isGivenUp ? NOTHING_LEFT_OUT : {}) };
}
