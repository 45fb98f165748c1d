import { z } from 'zod';
import { readStored, removeStored, writeStored } from '#pwa/lib/storage.ts';
import { PHOTOSESSION_STATUSES } from '#shared/contract/photosessions.ts';
import { uploadedPhoto } from '#shared/contract/uploads.ts';
import { isRestorable } from './photosession-status.ts';

const SESSION_KEY = 'activePhotoshootSession';
const PHOTO_KEY = 'photoshootPhoto';

/** The browser's record of a running session, with the fields of the specification and the source photo. */
const savedPhotosession = z.object({
  id: z.string().min(1).max(64),
  status: z.enum(PHOTOSESSION_STATUSES),
  title: z.string(),
  createdAt: z.iso.datetime(),
  photo: uploadedPhoto.nullable(),
});
export type SavedPhotosession = z.infer<typeof savedPhotosession>;

/** The stored session when it may still run; an older one and what cannot be read is removed. */
export async function readSavedPhotosession(userId: number, now: number): Promise<SavedPhotosession | null> {
  const saved = await readStored(userId, SESSION_KEY, savedPhotosession);
  if (!saved || isRestorable(saved, now)) return saved;
  await forgetPhotosession(userId);
  return null;
}

export function savePhotosession(userId: number, session: SavedPhotosession): Promise<void> {
  return writeStored(userId, SESSION_KEY, session);
}

export function forgetPhotosession(userId: number): Promise<void> {
  return removeStored(userId, SESSION_KEY);
}

/** The photo that was not sent yet, so that a way to buy stars or a reload loses no work. */
export function readChosenPhoto(userId: number) {
  return readStored(userId, PHOTO_KEY, uploadedPhoto);
}

export function saveChosenPhoto(userId: number, photo: z.infer<typeof uploadedPhoto>): Promise<void> {
  return writeStored(userId, PHOTO_KEY, photo);
}

export function forgetChosenPhoto(userId: number): Promise<void> {
  return removeStored(userId, PHOTO_KEY);
}
