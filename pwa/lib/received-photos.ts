import { readDeviceOwner } from './device-owner.ts';
import {
  addLeftOut,
  changeOnShelf,
  clearShelf,
  countLeftOut,
  type LeftOut,
  NONE_LEFT_OUT,
  noteLeftOut,
  putOnShelf,
  type ReceivedPhoto,
  readFromShelf,
  readShelf,
  removeFromShelf,
} from './received-shelf.ts';

/*
 * Photos that another app has shared or that were opened from the computer's files. They are the device's while nobody has
 * taken them up, because nobody may be signed in yet, and then that account's.
 */

/** Held by who keeps photos, takes them up or removes them at a sign-out: nothing is left behind in between. */
const LOCK = 'podium.receivedPhotos';
const CHANNEL = 'podium.receivedPhotos';

/** Files that came together. */
export interface Share<F> {
  first: F;
  others: F[];
  /** Files that are no photos. */
  notPhotos: number;
}

/** The photo that is to be taken at once. */
export interface FirstPhoto {
  photo: ReceivedPhoto;
  file: File;
  /** Whether it waits for the account until it has become the photo; not where the device has no room for that. */
  isKept: boolean;
}

/** `opened`: files were opened with this tab. `changed`: anything else, here, in another tab or by the worker. */
export type ReceivedNews = 'opened' | 'changed';

/** By which a tab knows its own news. */
const HERE = Math.random();

/**
 * Of several files the first picture is the first, else the first document: what is wrong with it is then told. The other
 * pictures and files of no known type wait. Null when there is neither: text, and the empty file that stands for none in a
 * form, are nothing.
 */
export function sortShare<F extends Pick<File, 'type' | 'size'>>(files: readonly F[]): Share<F> | null {
  const isPicture = ({ type }: F) => type.startsWith('image/');
  const first = files.find(isPicture) ?? files.find(({ type, size }) => size > 0 && !type.startsWith('text/'));
  if (!first) return null;
  const rest = files.filter((file) => file !== first && file.size > 0);
  const others = rest.filter((file) => isPicture(file) || file.type === '');
  return { first, others, notPhotos: rest.length - others.length };
}

/**
 * Keeps the first photo and gives the work that goes on with the others, for which nobody has to wait. Rejects when the
 * first cannot be kept. `owner` is whose device it was before the files were read: nothing more is kept once it is not.
 */
export async function keepShare(share: Share<File>, owner: number | null): Promise<{ othersKept: Promise<void> }> {
  const receivedAt = Date.now();
  const hasOthers = share.others.length > 0;
  const [first, ...others] = [share.first, ...share.others].map((file, place) => {
    const { name, type } = file;
    return { file, photo: { id: crypto.randomUUID(), name, type, receivedAt, place, isFirst: place === 0, hasOthers } };
  });
  const bytes = await share.first.arrayBuffer();
  const isKept = await whileOwned(owner, async () => first && putOnShelf('device', first.photo, bytes));
  if (!isKept) throw new Error('somebody has signed out meanwhile');
  return { othersKept: keepOthers(others, { ...NONE_LEFT_OUT, notPhotos: share.notPhotos }, owner) };
}

/** Tells this tab's page that files were opened with it, so that it takes the first. */
export function tellOpened(): void {
  tell(HERE);
}

/**
 * Makes the photo that is to be taken at once the account's, where there is room, and gives whether there is one. It stays
 * the first until a page takes it.
 */
export function takeUpFirst(userId: number): Promise<boolean> {
  return withLock(async () => {
    const first = await findFirst('device');
    const file = first && (await readFromShelf('device', first));
    if (first && file) {
      try {
        await putOnShelf(userId, first, await file.arrayBuffer());
      } catch (error) {
        // It can be sent from where it is.
        console.warn('the first photo has no room:', error);
        return true;
      }
    }
    if (first) await removeFromShelf('device', [first.id]);
    return (await findFirst(userId)) !== undefined;
  });
}

/** Gives the first photo to one page alone: it then waits like any other. Null when there is none. */
export function takeFirst(userId: number): Promise<FirstPhoto | null> {
  return withLock(async () => {
    const unkept = await findFirst('device');
    const photo = unkept ?? (await findFirst(userId));
    const file = photo && (await readFromShelf(unkept ? 'device' : userId, photo));
    if (unkept) await removeFromShelf('device', [unkept.id]);
    else if (photo) await changeOnShelf(userId, photo.id, { isFirst: false });
    return photo && file ? { photo, file, isKept: !unkept } : null;
  });
}

/** Makes a photo the first again whose page was left before it could send it. */
export async function putBackFirst(userId: number, { photo, file, isKept }: FirstPhoto): Promise<void> {
  if (isKept) return withLock(() => changeOnShelf(userId, photo.id, { isFirst: true }));
  const bytes = await file.arrayBuffer();
  await whileOwned(userId, () => putOnShelf('device', photo, bytes));
}

/**
 * Makes the photos that are to wait the account's, and gives what was left out. Nothing is done while the first is still
 * there: the page that opens for it comes for all of them.
 */
export function takeUpOthers(userId: number): Promise<LeftOut> {
  return withLock(async () => {
    const { photos, leftOut } = await readShelf('device');
    if (photos.some(({ isFirst }) => isFirst)) return NONE_LEFT_OUT;
    const left = { ...leftOut };
    for (const photo of photos) {
      const file = await readFromShelf('device', photo);
      if (file) await keepOrCount(userId, photo, await file.arrayBuffer(), left);
      await removeFromShelf('device', [photo.id]);
    }
    if (countLeftOut(leftOut) > 0) await noteLeftOut('device', NONE_LEFT_OUT);
    return left;
  });
}

/** The photos that wait for the account, newest share first; those that have waited for a week are removed. */
export async function listReceived(userId: number): Promise<ReceivedPhoto[]> {
  return (await readShelf(userId)).photos;
}

/** Removes what has waited too long, for the account or for nobody yet. */
export async function sweepReceived(userId: number): Promise<void> {
  await readShelf(userId);
  await readShelf('device');
}

/** The file of a photo; null when it waits no more. */
export function readReceived(userId: number, photo: ReceivedPhoto): Promise<File | null> {
  return readFromShelf(userId, photo);
}

export async function removeReceived(userId: number, ids: readonly string[]): Promise<void> {
  await removeFromShelf(userId, ids);
  tell();
}

/** Keeps the small picture of a photo; null when there can be none. */
export async function keepPreview(userId: number, id: string, preview: ArrayBuffer | null): Promise<void> {
  await changeOnShelf(userId, id, { preview });
  tell();
}

/** After a sign-out: neither what waits for the account stays nor what waits for nobody yet. */
export async function forgetReceived(userId: number | null): Promise<void> {
  await withLock(async () => {
    await clearShelf('device');
    if (userId !== null) await clearShelf(userId);
  });
  tell();
}

/** Hears of photos that come and go. */
export function subscribeReceived(listener: (news: ReceivedNews) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => listener(data === HERE ? 'opened' : 'changed');
  return () => channel.close();
}

async function keepOthers(
  others: readonly { file: File; photo: ReceivedPhoto }[],
  left: LeftOut,
  owner: number | null,
): Promise<void> {
  for (const { file, photo } of others) {
    // Read before the lock is held: that may take long, and neither the page nor a sign-out has to wait for it.
    const bytes = await file.arrayBuffer().catch(() => null);
    if (!(await whileOwned(owner, () => keepOrCount('device', photo, bytes, left)))) return;
    tell();
  }
  if (countLeftOut(left) === 0) return;
  await whileOwned(owner, async () => noteLeftOut('device', addLeftOut((await readShelf('device')).leftOut, left)));
  tell();
}

/** Keeps a photo that waits, or counts why it cannot. */
async function keepOrCount(
  owner: number | 'device',
  photo: ReceivedPhoto,
  bytes: ArrayBuffer | null,
  left: LeftOut,
): Promise<void> {
  try {
    if (!bytes) left.notKept += 1;
    else if (!(await putOnShelf(owner, photo, bytes))) left.tooMany += 1;
  } catch (error) {
    console.warn('a photo has no room:', error);
    left.notKept += 1;
  }
}

async function findFirst(owner: number | 'device'): Promise<ReceivedPhoto | undefined> {
  return (await readShelf(owner)).photos.find(({ isFirst }) => isFirst);
}

/**
 * Does the work, unless the device is no longer the owner's, and gives whether it did. Whoever signs out meanwhile leaves
 * nothing behind; what comes while nobody is signed in is for whoever signs in.
 */
function whileOwned(owner: number | null, work: () => Promise<unknown>): Promise<boolean> {
  return withLock(async () => {
    if (owner !== null && (await readDeviceOwner()) !== owner) return false;
    await work();
    return true;
  });
}

function tell(news: number | null = null): void {
  // A channel does not hear itself: this one is not the listener's, so the own tab hears it too.
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(news);
  channel.close();
}

function withLock<T>(work: () => Promise<T>): Promise<T> {
  // Absent on plain-http addresses, where nothing can be shared either.
  return 'locks' in navigator ? (navigator.locks.request(LOCK, work) as Promise<T>) : work();
}
