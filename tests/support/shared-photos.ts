import { vi } from 'vitest';
import {
  findRecipient,
  keepShare,
  listReceived,
  removeReceived,
  takeFirst,
  takeUpFirst,
  takeUpOthers,
} from '#pwa/lib/received-photos.ts';

/** A photo whose bytes are its name. */
export function photo(name: string): File {
  return new File([name], `${name}.jpg`, { type: 'image/jpeg' });
}

/** «а1», «а2» */
export function names(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
}

/** Another app shares photos, the first of which comes first; all that is going to be kept is. */
export async function share(...titles: string[]): Promise<void> {
  vi.setSystemTime(Date.now() + 1);
  const [first = '', ...others] = titles;
  const { othersKept } = await keepShare(
    { first: photo(first), others: others.map(photo), notPhotos: 0 },
    await findRecipient(),
  );
  await othersKept;
}

/** What create-video does first: it gives the photo that it is going to send. */
export async function openPage(userId: number) {
  await takeUpFirst(userId);
  return takeFirst(userId);
}

/** As create-video does, up to the upload of the first. */
export async function takeUp(userId: number) {
  await openPage(userId);
  return takeUpOthers(userId);
}

/** As create-video does, the upload of the first included. */
export async function takeUpAndUseFirst(userId: number): Promise<void> {
  const first = await openPage(userId);
  await takeUpOthers(userId);
  await removeReceived([first?.photo.id ?? '']);
}

/** What waits for the account, in its order. */
export async function waitingNames(userId: number): Promise<string[]> {
  return (await listReceived(userId)).map(({ name }) => name.replace('.jpg', ''));
}
