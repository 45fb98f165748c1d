import { readDeviceOwner } from './device-owner.ts';
import {
  afterSignOut,
  changeShelf,
  countLeftOut,
  EMPTY_SHELF,
  type LeftOut,
  markFirst,
  NONE_LEFT_OUT,
  noteLeftOut,
  putOnShelf,
  type ReceivedPhoto,
  type Recipient,
  readFromShelf,
  readShelf,
  type Shelf,
  withoutOthers,
} from './received-shelf.ts';

/*
 * Photos that another app has shared or that were opened from the computer's files. Each is of the account whose device it
 * was when it came. What came while nobody was signed in becomes the account's that takes it up first. What waits for an
 * account outlasts the end of its session, but not a sign-out, and not that another account comes: whatever is done as one
 * account's finds nothing of another's, and taking up and sweeping, which every start does, remove it.
 */

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
}

/**
 * `opened`: files were opened with this tab, or a page of it has put back a first. `changed`: anything else, here, in another
 * tab or by the worker.
 */
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

/** Whom a share is for that begins to come; to be asked before its files are read, which may take long. */
export async function findRecipient(): Promise<Recipient> {
  // In this order: a sign-out forgets the owner first, so one that begins in between counts as later.
  const { era } = await readShelf();
  return { era, owner: await readDeviceOwner() };
}

/**
 * Keeps the first photo and gives the work that goes on with the others, for which nobody has to wait. Rejects when the
 * first cannot be kept. Nothing more is kept once somebody has signed out since the share began to come.
 */
export async function keepShare(share: Share<File>, recipient: Recipient): Promise<{ othersKept: Promise<void> }> {
  const receivedAt = Date.now();
  const hasOthers = share.others.length > 0;
  const { owner } = recipient;
  const describe = ({ name, type }: File, place: number): ReceivedPhoto => {
    const id = crypto.randomUUID();
    return { id, name, type, receivedAt, place, isFirst: place === 0, hasOthers, owner, isTakenUp: false };
  };
  const first = await putOnShelf(describe(share.first, 0), await share.first.arrayBuffer(), recipient);
  if (first !== 'kept') throw new Error('somebody has signed out meanwhile');
  const others = share.others.map((file, index) => ({ file, photo: describe(file, index + 1) }));
  return { othersKept: keepOthers(others, { ...NONE_LEFT_OUT, notPhotos: share.notPhotos }, recipient) };
}

/** Tells this tab's page that files were opened with it, so that it takes the first. */
export function tellOpened(): void {
  tell(HERE);
}

/**
 * Makes the photo that is to be taken at once the account's, and gives whether there is one. It stays the first until a page
 * takes it.
 */
export async function takeUpFirst(userId: number): Promise<boolean> {
  const { photos } = await changeShelf((now) => takeUp(withoutOthers(now, userId), userId, ({ isFirst }) => isFirst));
  return photos.some(({ isFirst }) => isFirst);
}

/**
 * Gives the first photo to one page alone: it then waits like any other. Null when there is none, or when it came after this
 * page: the one that opens for it takes it up.
 */
export async function takeFirst(userId: number): Promise<FirstPhoto | null> {
  let photo = null as ReceivedPhoto | null;
  await changeShelf((now) => {
    photo = listOf(now, userId).find(({ isFirst }) => isFirst) ?? null;
    return photo ? changePhoto(now, photo.id, { isFirst: false }) : now;
  });
  const file = photo && (await readFromShelf(photo));
  return photo && file ? { photo, file } : null;
}

/** Makes a photo the first again whose page was left before it could send it, unless a newer one has come. */
export async function putBackFirst({ id, receivedAt }: ReceivedPhoto): Promise<void> {
  await changeShelf((now) => {
    const isThere = now.photos.some((other) => other.id === id);
    const hasNewer = now.photos.some((other) => other.isFirst && other.receivedAt > receivedAt);
    return isThere && !hasNewer ? { ...now, photos: markFirst(now.photos, id) } : now;
  });
  // The next page may have looked for one already.
  tell(HERE);
}

/**
 * Makes the photos that are to wait the account's, and gives what was left out. Nothing is done while the first is still
 * there: the page that opens for it comes for all of them.
 */
export async function takeUpOthers(userId: number): Promise<LeftOut> {
  let left = NONE_LEFT_OUT;
  await changeShelf((now) => {
    const own = withoutOthers(now, userId);
    const isLeftToPage = own.photos.some(({ isFirst, isTakenUp }) => isFirst && !isTakenUp);
    left = isLeftToPage ? NONE_LEFT_OUT : own.leftOut;
    if (isLeftToPage) return own;
    return takeUp(countLeftOut(left) === 0 ? own : { ...own, leftOut: NONE_LEFT_OUT }, userId, () => true);
  });
  return left;
}

/** The photos that wait for the account, newest share first; those that have waited for a week are removed. */
export async function listReceived(userId: number): Promise<ReceivedPhoto[]> {
  return listOf(await readShelf(), userId);
}

/** Removes what has waited too long, for the account or for nobody yet, and what is another account's. */
export async function sweepReceived(userId: number): Promise<void> {
  await changeShelf((now) => withoutOthers(now, userId));
}

/** The file of a photo; null when it waits no more. */
export function readReceived(photo: ReceivedPhoto): Promise<File | null> {
  return readFromShelf(photo);
}

export async function removeReceived(ids: readonly string[]): Promise<void> {
  await changeShelf((now) => ({ ...now, photos: now.photos.filter(({ id }) => !ids.includes(id)) }));
  tell();
}

/** Keeps the small picture of a photo; null when there can be none. */
export async function keepPreview(id: string, preview: ArrayBuffer | null): Promise<void> {
  await changeShelf((now) => changePhoto(now, id, { preview }));
  tell();
}

/** After a sign-out: neither what waits for the account stays nor what waits for nobody yet, nor what is on its way. */
export async function forgetReceived(userId: number | null): Promise<void> {
  const forget = () => changeShelf((now) => afterSignOut(now, userId));
  // A shelf that is written needs room, one that is removed needs none.
  await forget().catch(() => changeShelf(() => EMPTY_SHELF).then(forget));
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
  recipient: Recipient,
): Promise<void> {
  for (const { file, photo } of others) {
    const outcome = await keepOther(file, photo, recipient);
    if (outcome === 'forgotten') return;
    if (outcome !== 'kept') left[outcome] += 1;
    tell();
  }
  if (countLeftOut(left) === 0) return;
  await noteLeftOut(left, recipient);
  tell();
}

async function keepOther(file: File, photo: ReceivedPhoto, recipient: Recipient) {
  try {
    return await putOnShelf(photo, await file.arrayBuffer(), recipient);
  } catch (error) {
    console.warn('a photo cannot be read, or has no room:', error);
    return 'notKept';
  }
}

/** Makes photos the account's whose they are not yet. */
function takeUp(now: Shelf, owner: number, isMeant: (photo: ReceivedPhoto) => boolean): Shelf {
  const isDue = (photo: ReceivedPhoto) => !photo.isTakenUp && isMeant(photo);
  if (!now.photos.some(isDue)) return now;
  return { ...now, photos: now.photos.map((photo) => (isDue(photo) ? { ...photo, owner, isTakenUp: true } : photo)) };
}

function changePhoto(now: Shelf, id: string, change: Partial<Pick<ReceivedPhoto, 'isFirst' | 'preview'>>): Shelf {
  return { ...now, photos: now.photos.map((photo) => (photo.id === id ? { ...photo, ...change } : photo)) };
}

function listOf({ photos }: Shelf, userId: number): ReceivedPhoto[] {
  return photos.filter(({ isTakenUp, owner }) => isTakenUp && owner === userId);
}

function tell(news: number | null = null): void {
  // A channel does not hear itself: this one is not the listener's, so the own tab hears it too.
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(news);
  channel.close();
}
