import { z } from 'zod';
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';
import { type UploadedPhoto, uploadedPhoto, uploadPhoto } from '#shared/contract/uploads.ts';
import { GENERATION_KINDS, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { ApiError, describeError } from './api-error.ts';
import {
  type ConsentedStart,
  consentedStart,
  isStale,
  START_TIMEOUT_MS,
  sendBody,
  sendStart,
} from './consented-start.ts';
import { isUncertain } from './start-intent.ts';
import { readStored, updateStored } from './storage.ts';
import { UPLOADS_SYNC_TAG } from './worker-messages.ts';

/** Where a photo waits: each tool has one place for the photo that its page is given. */
export type UploadSlot = GenerationKind;

/** Tabs and the worker send one after the other under this lock: what one has sent the next does not send again. */
const LOCK = 'podium.uploads';
const CHANNEL = 'podium.uploads';
/** Ten megabytes over a bad mobile line. */
const UPLOAD_TIMEOUT_MS = 5 * 60_000;
const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 60_000;
const NOT_TAKEN = 'Сервер не принял запрос. Попробуйте ещё раз';
const CONSENT_STALE = 'Прошло больше суток, поэтому сами мы уже не запускаем. Фото сохранено: запустите ещё раз';

const queuedUpload = z.object({
  /** Sent as Idempotency-Key, so that a repeat after a lost answer makes no second photo and no second generation. */
  id: z.uuid(),
  /** The file until it has been sent; plain bytes, because iOS loses its database over Blobs of the camera. */
  file: z.object({ name: z.string(), type: z.string(), bytes: z.instanceof(ArrayBuffer) }).nullable(),
  /** What the server made of it. */
  photo: uploadedPhoto.nullable(),
  /** The page had the photo already: only the start waits. */
  isPhotoKnown: z.boolean().default(false),
  /** Without it no star is spent. */
  start: consentedStart.nullable(),
  /** The request to start: `underway` it cannot be taken back, `unanswered` it may have been heard. */
  startRequest: z.enum(['none', 'underway', 'unanswered']).default('none'),
  generationId: z.string().nullable(),
  /** Why the server has refused it. */
  failure: z.object({ message: z.string(), code: z.string().nullable() }).nullable(),
  queuedAt: z.number(),
  /** Tries without an answer, one after another, and when the last one was. */
  tries: z.int().default(0),
  triedAt: z.number().default(0),
});
export type QueuedUpload = z.infer<typeof queuedUpload>;

/** `underway`: too late, the start was sent. `unsure`: taken back, but an earlier try may have been heard. */
export type Withdrawal = 'withdrawn' | 'underway' | 'unsure';

/** What the person saw when they agreed: the queued upload of this id, or a photo that the server has. */
export type ShownPhoto = { queuedId: string } | { photo: UploadedPhoto };

export function readQueuedUpload(userId: number, slot: UploadSlot): Promise<QueuedUpload | null> {
  return readStored(userId, keyOf(slot), queuedUpload);
}

/** Whether it has come to its end, good or bad, and only waits for the page to take note. */
export function isSettled({ generationId, failure }: QueuedUpload): boolean {
  return generationId !== null || failure !== null;
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
  await change(userId, slot, () => emptyUpload({ id, file: { name, type, bytes } }));
  await askToSend();
}

/**
 * Keeps the consent to start a generation with the photo that was shown. Does nothing when another waits by now, or
 * when the shown one has gone: the page then shows what there is instead.
 */
export async function queueStart(userId: number, start: ConsentedStart, shown: ShownPhoto): Promise<void> {
  await change(userId, start.slot, (now) => {
    const waiting = now && !isSettled(now) ? now : null;
    if ('queuedId' in shown) return waiting?.id === shown.queuedId ? { ...waiting, start } : now;
    if (waiting && (!waiting.isPhotoKnown || isUnderway(waiting))) return now;
    return emptyUpload({ id: crypto.randomUUID(), photo: shown.photo, isPhotoKnown: true, start });
  });
  await askToSend();
}

/** Takes the consent back at once, also while the photo is being sent; a photo that waits goes on waiting. */
export async function withdrawStart(userId: number, slot: UploadSlot): Promise<Withdrawal> {
  let withdrawal: Withdrawal = 'withdrawn';
  await change(userId, slot, (now) => {
    if (!now?.start) return now;
    if (now.generationId !== null || isUnderway(now)) {
      withdrawal = 'underway';
      return now;
    }
    if (now.startRequest !== 'none') withdrawal = 'unsure';
    return now.isPhotoKnown ? null : { ...now, start: null };
  });
  return withdrawal;
}

/** Gives up what waits, with the consent; a start that is underway stays until its answer has come. */
export async function giveUpQueuedUpload(userId: number, slot: UploadSlot): Promise<void> {
  await change(userId, slot, (now) => (now && isUnderway(now) ? now : null));
}

/** Removes what the page has taken note of, unless another has come in its place. */
export async function forgetQueuedUpload(userId: number, slot: UploadSlot, id: string): Promise<void> {
  await change(userId, slot, (now) => (now?.id === id ? null : now));
}

/**
 * Sends what waits and gives the milliseconds until it should be called again; null when nothing waits any more.
 * `isPatient`: what was not answered a moment ago, whoever has sent it, is left until its pause is over.
 */
export function sendQueuedUploads(userId: number, { isPatient = false } = {}): Promise<number | null> {
  return withLock(async () => {
    const pauses: number[] = [];
    for (const slot of GENERATION_KINDS) {
      const pause = await sendOne(userId, slot, isPatient);
      if (pause !== null) pauses.push(pause);
    }
    return pauses.length > 0 ? Math.min(...pauses) : null;
  });
}

/** Hears of changes made by this tab, by others and by the worker; `isNew`: something is there to be sent. */
export function subscribeUploads(listener: (isNew: boolean) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => listener(data === NEWS.queued);
  return () => channel.close();
}

async function sendOne(userId: number, slot: UploadSlot, isPatient: boolean): Promise<number | null> {
  const waiting = await readQueuedUpload(userId, slot);
  if (!waiting || isSettled(waiting)) return null;
  const pause = pauseAfter(waiting);
  if (isPatient && pause > 0) return pause;
  const { id } = waiting;
  const update: UpdateSame = (part) => changeSame(userId, slot, id, part);
  try {
    if (waiting.file) {
      const photo = await sendFile(id, waiting.file);
      await update(() => ({ photo, file: null, tries: 0 }));
    }
    await startAsAgreed(id, update);
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (!isUncertain(error.status) && error.status !== 401) {
      await update(() => ({ failure: { message: describeError(error, NOT_TAKEN), code: error.code }, start: null }));
      return null;
    }
    const left = await update(({ tries, startRequest }) => ({
      tries: tries + 1,
      triedAt: Date.now(),
      startRequest: startRequest === 'none' ? 'none' : 'unanswered',
    }));
    return left && pauseAfter(left);
  }
}

/** Changes the upload on its way if it has not been given up or replaced meanwhile; else gives null. */
type UpdateSame = (part: (now: QueuedUpload) => Partial<QueuedUpload>) => Promise<QueuedUpload | null>;

/** Starts by what stands now: the consent may have come, or been taken back, while the photo was being sent. */
async function startAsAgreed(id: string, update: UpdateSame): Promise<void> {
  const upload = await update((now) => {
    if (!now.photo || !now.start) return {};
    if (isStale(now.start, Date.now())) return { start: null, failure: { message: CONSENT_STALE, code: null } };
    return { startRequest: 'underway', triedAt: Date.now() };
  });
  if (!upload?.photo || !upload.start) return;
  const generationId = await sendStart(upload.start, upload.photo.id, id);
  await update(() => ({ generationId }));
}

/** A request of a page that was closed meanwhile is underway no longer than any other. */
function isUnderway({ startRequest, generationId, failure, triedAt }: QueuedUpload): boolean {
  return startRequest === 'underway' && !generationId && !failure && Date.now() - triedAt < START_TIMEOUT_MS;
}

/** Milliseconds left of the pause after tries without an answer; the pause grows with them. */
function pauseAfter({ tries, triedAt }: QueuedUpload): number {
  if (tries === 0) return 0;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
  // A clock that was set back makes nobody wait longer.
  return Math.min(Math.max(triedAt + pause - Date.now(), 0), pause);
}

function sendFile(id: string, { name, type, bytes }: NonNullable<QueuedUpload['file']>) {
  const form = new FormData();
  form.set(uploadPhoto.file, new File([bytes], name, { type }));
  return sendBody(uploadPhoto, form, { headers: { [IDEMPOTENCY_KEY_HEADER]: id }, timeoutMs: UPLOAD_TIMEOUT_MS });
}

function emptyUpload(known: Pick<QueuedUpload, 'id'> & Partial<QueuedUpload>): QueuedUpload {
  return {
    file: null,
    photo: null,
    isPhotoKnown: false,
    start: null,
    startRequest: 'none',
    generationId: null,
    failure: null,
    queuedAt: Date.now(),
    tries: 0,
    triedAt: 0,
    ...known,
  };
}

async function change(
  userId: number,
  slot: UploadSlot,
  to: (now: QueuedUpload | null) => QueuedUpload | null,
): Promise<QueuedUpload | null> {
  let isSeen = false;
  const upload = await updateStored(userId, keyOf(slot), queuedUpload, (now) => {
    const next = to(now);
    isSeen = SHOWN_PARTS.some((part) => now?.[part] !== next?.[part]);
    return next;
  });
  if (isSeen) tellTabs(NEWS.changed);
  return upload;
}

async function changeSame(
  userId: number,
  slot: UploadSlot,
  id: string,
  part: Parameters<UpdateSame>[0],
): Promise<QueuedUpload | null> {
  const upload = await change(userId, slot, (now) => (now?.id === id ? { ...now, ...part(now) } : now));
  return upload?.id === id ? upload : null;
}

/** What pages show; they need not hear of how often it was tried. */
const SHOWN_PARTS = ['id', 'file', 'photo', 'start', 'generationId', 'failure'] as const;

function keyOf(slot: UploadSlot): string {
  return `queuedUpload.${slot}`;
}

/** Told apart, because whoever sends makes changes himself: those are no reason to send again. */
const NEWS = { queued: 'queued', changed: 'changed' } as const;

function tellTabs(news: (typeof NEWS)[keyof typeof NEWS]): void {
  // A channel does not hear itself: this one is not the listener's, so the own tab hears it too.
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(news);
  channel.close();
}

function withLock<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks.request(LOCK, work) as Promise<T>;
}

/** Where browsers cannot be woken, the next page that has a network sends. */
async function askToSend(): Promise<void> {
  tellTabs(NEWS.queued);
  if (!('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.getRegistration();
  const { sync } = (registration ?? {}) as { sync?: { register: (tag: string) => Promise<void> } };
  await sync?.register(UPLOADS_SYNC_TAG).catch(() => undefined);
}
