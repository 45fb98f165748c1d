import { vi } from 'vitest';
import {
  findRecipient,
  keepShare,
  listReceived,
  removeReceived,
  takeFirst,
  takeUpFirst,
  takeUpOthers,
} from '#pwa/features/uploads/received-photos.ts';
import { storedValues } from './fake-indexed-db.ts';

/** A photo whose bytes are its name. */
export function photo(name: string): File {
  return new File([name], `${name}.jpg`, { type: 'image/jpeg' });
}

/** A photo whose bytes are delivered later. */
export function holdBack(name: string) {
  const bytes = Promise.withResolvers<ArrayBuffer>();
  return {
    file: Object.assign(photo(name), { arrayBuffer: () => bytes.promise }),
    give: () => bytes.resolve(new ArrayBuffer(4)),
  };
}

/** «а1», «а2» */
export function names(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
}

/** Another app shares photos in this order. Resolves when all of them are stored. */
export async function share(...titles: string[]): Promise<void> {
  vi.setSystemTime(Date.now() + 1);
  const [first = '', ...others] = titles;
  const { othersKept } = await keepShare(
    { first: photo(first), others: others.map(photo), notPhotos: 0 },
    await findRecipient(),
  );
  await othersKept;
}

/** Does what the video page does first. Returns the photo that the page is about to upload. */
export async function openPage(userId: number) {
  await takeUpFirst(userId);
  return takeFirst(userId);
}

/** Does what the video page does, up to the upload of the first photo. */
export async function takeUp(userId: number) {
  await openPage(userId);
  return takeUpOthers(userId);
}

/** Does what the video page does, including the upload of the first photo. */
export async function takeUpAndUseFirst(userId: number): Promise<void> {
  const first = await openPage(userId);
  await takeUpOthers(userId);
  await removeReceived([first?.photo.id ?? '']);
}

/** The names of the photos that wait for the account, in order. */
export async function waitingNames(userId: number): Promise<string[]> {
  return (await listReceived(userId)).map(({ name }) => name.replace('.jpg', ''));
}

/** How many files the device keeps, of any account. */
export async function filesKept(): Promise<number> {
  const values = await storedValues.read();
  return [...values.values()].filter((value) => value instanceof ArrayBuffer).length;
}
