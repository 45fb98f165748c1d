import { z } from 'zod';
import { uploadedPhoto, uploadPhoto } from '#shared/contract/uploads.ts';
import { ApiError } from './api-error.ts';
import { type ConsentedStart, consentedStart, priceOfStart, sendForm, sendStart } from './consented-start.ts';
import { isUncertain } from './start-intent.ts';
import { readStored, removeStored, writeStored } from './storage.ts';
import { UPLOADS_SYNC_TAG } from './worker-messages.ts';

/** A tool has one photo, and so one that waits. */
export const UPLOAD_SLOTS = ['video', 'model_change', 'photosession'] as const;
export type UploadSlot = (typeof UPLOAD_SLOTS)[number];

/** Tabs and the worker send one after the other under this lock: what one has sent the next does not send again. */
const LOCK = 'podium.uploads';
const CHANNEL = 'podium.uploads';
const PRICE_CHANGED = 'Цена изменилась, поэтому ничего не запущено и не списано';

const queuedUpload = z.object({
  /** Sent as Idempotency-Key, so that a repeat after a lost answer makes no second photo. */
  id: z.uuid(),
  /** The file until it has been sent; plain bytes, because iOS loses its database over Blobs of the camera. */
  file: z.object({ name: z.string(), type: z.string(), bytes: z.instanceof(ArrayBuffer) }).nullable(),
  /** What the server made of it. */
  photo: uploadedPhoto.nullable(),
  /** Without it no star is spent. */
  start: consentedStart.nullable(),
  generationId: z.string().nullable(),
  /** Why the server has refused it. */
  failure: z.object({ message: z.string(), code: z.string().nullable() }).nullable(),
  queuedAt: z.number(),
});
export type QueuedUpload = z.infer<typeof queuedUpload>;

export function readQueuedUpload(userId: number, slot: UploadSlot): Promise<QueuedUpload | null> {
  return readStored(userId, keyOf(slot), queuedUpload);
}

/** Keeps a file until it can be sent; one that waited in the same place is given up. `id`: of a try that was lost. */
export async function queueFile(
  userId: number,
  slot: UploadSlot,
  file: File,
  id: string = crypto.randomUUID(),
): Promise<void> {
  const { name, type } = file;
  const bytes = await file.arrayBuffer();
  await put(userId, slot, emptyUpload({ id, file: { name, type, bytes } }));
  await wakeWorker();
}

/** Keeps the consent to start a generation with the photo that waits, or with one the server has already. */
export async function queueStart(userId: number, start: ConsentedStart, photo: QueuedUpload['photo']): Promise<void> {
  const { slot } = start;
  await withLock(async () => {
    const waiting = await readQueuedUpload(userId, slot);
    const upload = waiting?.file ? waiting : emptyUpload({ id: crypto.randomUUID(), photo });
    await put(userId, slot, { ...upload, start });
  });
  await wakeWorker();
}

/** Takes the consent back; a file that waits goes on waiting. */
export function withdrawStart(userId: number, slot: UploadSlot): Promise<void> {
  return withLock(async () => {
    const waiting = await readQueuedUpload(userId, slot);
    if (!waiting || waiting.generationId) return;
    if (waiting.file) await put(userId, slot, { ...waiting, start: null });
    else await forgetQueuedUpload(userId, slot);
  });
}

export async function forgetQueuedUpload(userId: number, slot: UploadSlot): Promise<void> {
  await removeStored(userId, keyOf(slot));
  tellTabs();
}

/** Sends all that waits. False when the server could not be reached: something still waits. */
export function sendQueuedUploads(userId: number): Promise<boolean> {
  return withLock(async () => {
    for (const slot of UPLOAD_SLOTS) {
      try {
        await sendOne(userId, slot);
      } catch (error) {
        if (error instanceof ApiError && (isUncertain(error.status) || error.status === 401)) return false;
        throw error;
      }
    }
    return true;
  });
}

/** Hears of changes made by this tab, by others and by the worker. */
export function subscribeUploads(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = listener;
  return () => channel.close();
}

async function sendOne(userId: number, slot: UploadSlot): Promise<void> {
  const waiting = await readQueuedUpload(userId, slot);
  if (!waiting || waiting.failure) return;
  let current = waiting;
  const save = (change: Partial<QueuedUpload>) => {
    current = { ...current, ...change };
    return put(userId, slot, current);
  };
  try {
    if (current.file) {
      const photo = await sendFile(current.id, current.file);
      // It may have been given up while it was on its way.
      if ((await readQueuedUpload(userId, slot))?.id !== current.id) return;
      await save({ photo, file: null });
    }
    if (current.photo && current.start && !current.generationId) {
      // What the person saw is what is paid, or nothing.
      if (priceOfStart(current.start) !== current.start.price) {
        return await save({ start: null, failure: { message: PRICE_CHANGED, code: null } });
      }
      await save({ generationId: await sendStart(current.start, current.photo.id, current.id) });
    }
  } catch (error) {
    if (!(error instanceof ApiError) || isUncertain(error.status) || error.status === 401) throw error;
    await save({ failure: { message: error.message, code: error.code }, start: null });
  }
}

function sendFile(id: string, { name, type, bytes }: NonNullable<QueuedUpload['file']>) {
  const form = new FormData();
  form.set(uploadPhoto.file, new File([bytes], name, { type }));
  return sendForm(uploadPhoto, form, id);
}

function emptyUpload(known: Pick<QueuedUpload, 'id'> & Partial<QueuedUpload>): QueuedUpload {
  return { file: null, photo: null, start: null, generationId: null, failure: null, queuedAt: Date.now(), ...known };
}

async function put(userId: number, slot: UploadSlot, upload: QueuedUpload): Promise<void> {
  await writeStored(userId, keyOf(slot), upload);
  tellTabs();
}

function keyOf(slot: UploadSlot): string {
  return `queuedUpload.${slot}`;
}

function tellTabs(): void {
  // A channel does not hear itself: this one is not the listener's, so the own tab hears it too.
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(null);
  channel.close();
}

function withLock<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks.request(LOCK, work) as Promise<T>;
}

/** Where browsers cannot be woken, the next page that has a network sends. */
async function wakeWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.getRegistration();
  const { sync } = (registration ?? {}) as { sync?: { register: (tag: string) => Promise<void> } };
  await sync?.register(UPLOADS_SYNC_TAG).catch(() => undefined);
}
