import { readDeviceOwner } from '#pwa/device/device-owner.ts';
import { listenToTabs, tellTabs } from '#pwa/device/tab-channel.ts';
import { isPhotoFormat, PHOTO_HEAD_BYTES, sniffPhotoFormat } from '#shared/rules/photo-format.ts';
import { readFolder } from './photo-folder.ts';
import {
  addSharedPhoto,
  afterSignOut,
  changeSharedPhotos,
  countLeftOut,
  type LeftOut,
  markFirst,
  NO_SHARED_PHOTOS,
  NONE_LEFT_OUT,
  noteLeftOut,
  type ReceivedPhoto,
  type Recipient,
  readSharedFile,
  readSharedPhotos,
  type SharedPhotos,
  withoutOthers,
} from './shared-photos.ts';

/*
 * Photos that another app has shared, or that were opened from the computer's files. A photo belongs to the account
 * that was signed in when it came. A photo that came while nobody was signed in belongs to the first account that takes
 * it up. Waiting photos survive the end of their account's session, but not a sign-out and not another account: taking
 * up and sweeping, which run at every start, remove photos of other accounts.
 */

const CHANNEL = 'podium.receivedPhotos';

/** The files of one share. */
export interface Share<F> {
  first: F;
  others: F[];
  /** Files that are no photos. */
  notPhotos: number;
}

/** The first photo of a share, which a page uses without a press. */
export interface FirstPhoto {
  photo: ReceivedPhoto;
  file: File;
}

/**
 * `opened`: files were opened in this tab, or one of its pages has put back the first photo. `changed`: any other
 * change, here, in another tab or by the worker.
 */
export type ReceivedNews = 'opened' | 'changed';

/** Identifies this tab in messages. */
const HERE = Math.random();

/**
 * Chooses the first photo of a share, by the bytes of the files: the first photo, or else the first other file, so that
 * its error is shown. The remaining photos wait. Null when there is nothing to use: texts and empty files, which a form
 * sends for «no file», do not count.
 */
export async function sortShare<F extends Blob>(files: readonly F[]): Promise<Share<F> | null> {
  const present = files.filter(({ size }) => size > 0);
  const photos: F[] = [];
  for (const file of present) if (await isPhoto(file)) photos.push(file);
  const first = photos[0] ?? present.find(({ type }) => !type.startsWith('text/'));
  if (!first) return null;
  const others = photos.slice(1);
  return { first, others, notPhotos: present.length - 1 - others.length };
}

async function isPhoto(file: Blob): Promise<boolean> {
  const head = await file.slice(0, PHOTO_HEAD_BYTES).arrayBuffer();
  return isPhotoFormat(sniffPhotoFormat(new Uint8Array(head)));
}

/** Finds the account that a share is for. Call it before the files are read, which may take long. */
export async function findRecipient(): Promise<Recipient> {
  // The order matters: a sign-out first removes the owner and then changes the era. A sign-out between these two reads
  // then counts as later.
  const { era } = await readSharedPhotos();
  return { era, owner: await readDeviceOwner() };
}

/**
 * Stores the first photo. `othersKept` resolves when the others are stored, which nobody has to wait for. Rejects when
 * the first cannot be stored. A sign-out since the share began stops everything.
 */
export async function keepShare(share: Share<File>, recipient: Recipient): Promise<{ othersKept: Promise<void> }> {
  const receivedAt = Date.now();
  const hasOthers = share.others.length > 0;
  const describe = describeFiles({ receivedAt, hasOthers }, recipient);
  const first = await addSharedPhoto(describe(share.first, 0), await share.first.arrayBuffer(), recipient);
  if (first !== 'kept') throw new Error('somebody has signed out meanwhile');
  const others = share.others.map((file, index) => ({ file, photo: describe(file, index + 1) }));
  return { othersKept: keepOthers(others, { ...NONE_LEFT_OUT, notPhotos: share.notPhotos }, recipient) };
}

/**
 * Stores all but the first file of a drop, which the page uploads by itself. What is left out is announced after
 * `firstHandled`. Rejects without storage.
 */
export async function keepDropped(
  { others, notPhotos }: Pick<Share<File>, 'others' | 'notPhotos'>,
  firstHandled: Promise<unknown>,
): Promise<void> {
  const recipient = await findRecipient();
  const describe = describeFiles({ receivedAt: Date.now(), hasOthers: true }, recipient);
  const waiting = others.map((file, index) => ({ file, photo: describe(file, index + 1) }));
  await keepOthers(waiting, { ...NONE_LEFT_OUT, notPhotos }, recipient, firstHandled);
}

function describeFiles(share: Pick<ReceivedPhoto, 'receivedAt' | 'hasOthers'>, { owner }: Recipient) {
  return (file: File, place: number): ReceivedPhoto => {
    const { name, type } = file;
    const id = crypto.randomUUID();
    return { id, name, folder: readFolder(file), type, ...share, place, isFirst: place === 0, owner, isTakenUp: false };
  };
}

/** Announces to this tab's page that files were opened with it, so that it takes the first. */
export function announceOpened(): void {
  announce(HERE);
}

/** Assigns the first photo to the account. Returns whether there is one. It stays the first until a page takes it. */
export async function takeUpFirst(userId: number): Promise<boolean> {
  const { photos } = await changeSharedPhotos((now) =>
    takeUp(withoutOthers(now, userId), userId, ({ isFirst }) => isFirst),
  );
  return photos.some(({ isFirst }) => isFirst);
}

/**
 * Hands the first photo to exactly one page; afterwards it waits like any other. Null when there is none, or when it
 * came after this page was opened: then the page that opens for it takes it.
 */
export async function takeFirst(userId: number): Promise<FirstPhoto | null> {
  let photo = null as ReceivedPhoto | null;
  await changeSharedPhotos((now) => {
    photo = listOf(now, userId).find(({ isFirst }) => isFirst) ?? null;
    return photo ? changePhoto(now, photo.id, { isFirst: false }) : now;
  });
  const file = photo && (await readSharedFile(photo));
  return photo && file ? { photo, file } : null;
}

/** Marks a photo as the first again when its page was left before it could send it, unless a newer one has come. */
export async function putBackFirst({ id, receivedAt }: ReceivedPhoto): Promise<void> {
  await changeSharedPhotos((now) => {
    const isThere = now.photos.some((other) => other.id === id);
    const hasNewer = now.photos.some((other) => other.isFirst && other.receivedAt > receivedAt);
    return isThere && !hasNewer ? { ...now, photos: markFirst(now.photos, id) } : now;
  });
  // The next page may already have looked for one.
  announce(HERE);
}

/**
 * Assigns the waiting photos to the account and returns what was left out. Does nothing while the first photo is
 * unclaimed: the page that opens for it takes up all of them.
 */
export async function takeUpOthers(userId: number): Promise<LeftOut> {
  let left = NONE_LEFT_OUT;
  await changeSharedPhotos((now) => {
    const own = withoutOthers(now, userId);
    const isLeftToPage = own.photos.some(({ isFirst, isTakenUp }) => isFirst && !isTakenUp);
    left = isLeftToPage ? NONE_LEFT_OUT : own.leftOut;
    if (isLeftToPage) return own;
    return takeUp(countLeftOut(left) === 0 ? own : { ...own, leftOut: NONE_LEFT_OUT }, userId, () => true);
  });
  return left;
}

/** The photos that wait for the account, newest share first. Photos older than a week are removed. */
export async function listReceived(userId: number): Promise<ReceivedPhoto[]> {
  return listOf(await readSharedPhotos(), userId);
}

/** Removes expired photos and photos of other accounts. */
export async function sweepReceived(userId: number): Promise<void> {
  await changeSharedPhotos((now) => withoutOthers(now, userId));
}

/** The file of a photo; null when the photo is gone. */
export function readReceived(photo: ReceivedPhoto): Promise<File | null> {
  return readSharedFile(photo);
}

export async function removeReceived(ids: readonly string[]): Promise<void> {
  await changeSharedPhotos((now) => ({ ...now, photos: now.photos.filter(({ id }) => !ids.includes(id)) }));
  announce();
}

/** Stores the preview of a photo; null when the browser cannot make one. */
export async function keepPreview(id: string, preview: ArrayBuffer | null): Promise<void> {
  await changeSharedPhotos((now) => changePhoto(now, id, { preview }));
  announce();
}

/** For a sign-out: removes the account's photos, photos without an account, and shares that are still arriving. */
export async function forgetReceived(userId: number | null): Promise<void> {
  const forget = () => changeSharedPhotos((now) => afterSignOut(now, userId));
  // Writing the shorter list may fail on a full device. Removing the value first always works.
  await forget().catch(() => changeSharedPhotos(() => NO_SHARED_PHOTOS).then(forget));
  announce();
}

/** Calls the listener when photos come or go. Returns the function that unsubscribes. */
export function subscribeReceived(listener: (news: ReceivedNews) => void): () => void {
  return listenToTabs(CHANNEL, (news) => listener(news === HERE ? 'opened' : 'changed'));
}

async function keepOthers(
  others: readonly { file: File; photo: ReceivedPhoto }[],
  left: LeftOut,
  recipient: Recipient,
  firstHandled: Promise<unknown> = Promise.resolve(),
): Promise<void> {
  for (const { file, photo } of others) {
    const outcome = await keepOther(file, photo, recipient);
    if (outcome === 'forgotten') return;
    if (outcome !== 'kept') left[outcome] += 1;
    announce();
  }
  if (countLeftOut(left) === 0) return;
  await firstHandled;
  await noteLeftOut(left, recipient);
  announce();
}

async function keepOther(file: File, photo: ReceivedPhoto, recipient: Recipient) {
  try {
    return await addSharedPhoto(photo, await file.arrayBuffer(), recipient);
  } catch (error) {
    console.warn('a photo cannot be read, or has no room:', error);
    return 'notKept';
  }
}

/** Assigns photos that nobody has taken up to the account. */
function takeUp(now: SharedPhotos, owner: number, isMeant: (photo: ReceivedPhoto) => boolean): SharedPhotos {
  const isDue = (photo: ReceivedPhoto) => !photo.isTakenUp && isMeant(photo);
  if (!now.photos.some(isDue)) return now;
  return { ...now, photos: now.photos.map((photo) => (isDue(photo) ? { ...photo, owner, isTakenUp: true } : photo)) };
}

function changePhoto(
  now: SharedPhotos,
  id: string,
  change: Partial<Pick<ReceivedPhoto, 'isFirst' | 'preview'>>,
): SharedPhotos {
  return { ...now, photos: now.photos.map((photo) => (photo.id === id ? { ...photo, ...change } : photo)) };
}

function listOf({ photos }: SharedPhotos, userId: number): ReceivedPhoto[] {
  return photos.filter(({ isTakenUp, owner }) => isTakenUp && owner === userId);
}

function announce(news: number | null = null): void {
  tellTabs(CHANNEL, news);
}
