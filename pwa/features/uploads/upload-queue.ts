import { ApiError, describeError, isConsentRefusal } from '#pwa/client/api-error.ts';
import { isUncertain } from '#pwa/client/start-intent.ts';
import { readStored, updateStored } from '#pwa/device/storage.ts';
import { listenToTabs, tellTabs } from '#pwa/device/tab-channel.ts';
import { UPLOADS_SYNC_TAG } from '#pwa/device/worker-messages.ts';
import {
  type ConsentedStart,
  isStale,
  START_TIMEOUT_MS,
  sendBody,
  sendStart,
} from '#pwa/features/consent/consented-start.ts';
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';
import { STORAGE_ERRORS } from '#shared/contract/storage-errors.ts';
import { TOOL_OBSTACLES } from '#shared/contract/tools.ts';
import { type UploadedPhoto, uploadPhoto } from '#shared/contract/uploads.ts';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { askForSync } from './ask-for-sync.ts';
import { readFolder } from './photo-folder.ts';
import {
  emptyUpload,
  isSettled,
  NOT_TAKEN,
  pauseAfter,
  type QueuedUpload,
  queuedUpload,
  readTrouble,
  readWait,
} from './queued-upload.ts';
import { UPLOAD_TIMEOUT_MS } from './upload-file.ts';

/** The places where photos wait. Each tool has one for the photo of its product, and try-on one more. */
const UPLOAD_SLOTS = [...GENERATION_KINDS, 'try_on_person'] as const;
export type UploadSlot = (typeof UPLOAD_SLOTS)[number];

/** Tabs and the worker send under this lock, one after the other, so that nothing is sent twice. */
const LOCK = 'podium.uploads';
const CHANNEL = 'podium.uploads';
const CONSENT_STALE = 'Прошло больше суток, поэтому сами мы уже не запускаем. Фото сохранено: запустите ещё раз';

/** `underway`: too late, the start was sent. `unsure`: taken back, but the server may have received an earlier try. */
export type Withdrawal = 'withdrawn' | 'underway' | 'unsure';

/** The photo that the person saw when they agreed: the queued upload of this id, or a photo that the server has. */
export type ShownPhoto = { queuedId: string } | { photo: UploadedPhoto };

export function readQueuedUpload(userId: number, slot: UploadSlot): Promise<QueuedUpload | null> {
  return readStored(userId, keyOf(slot), queuedUpload);
}

/** Sends a waiting upload again, because the person has asked for it. */
export async function retryQueuedUpload(userId: number, slot: UploadSlot): Promise<void> {
  await change(userId, slot, (now) => now && { ...now, tries: 0 });
  await askToSend();
}

/** Queues a file and replaces one that waits in the same slot. `tried`: an earlier try, and how it failed. */
export async function queueFile(
  userId: number,
  slot: UploadSlot,
  file: File,
  tried: { id: string; error: ApiError | null } = { id: crypto.randomUUID(), error: null },
): Promise<void> {
  const { name, type } = file;
  const bytes = await file.arrayBuffer();
  const trouble = tried.error && readTrouble(tried.error);
  const known = trouble ? { trouble, tries: 1, triedAt: Date.now() } : {};
  const kept = { name, folder: readFolder(file), type, bytes };
  await change(userId, slot, () => emptyUpload({ id: tried.id, file: kept, ...known }));
  await askToSend();
}

/**
 * Queues the consent to start a generation with the photo that was shown. Does nothing when another photo waits by now
 * or the shown one is gone: the page then shows the current state.
 */
export async function queueStart(userId: number, start: ConsentedStart, shown: ShownPhoto): Promise<void> {
  await change(userId, start.slot, (now) => {
    const waiting = now && !isSettled(now) ? now : null;
    if ('queuedId' in shown)
      return waiting?.id === shown.queuedId ? { ...waiting, start, awaitsConsent: false, tries: 0 } : now;
    if (waiting && (!waiting.isPhotoKnown || isStartInProgress(waiting))) return now;
    return emptyUpload({ id: crypto.randomUUID(), photo: shown.photo, isPhotoKnown: true, start });
  });
  await askToSend();
}

/** Withdraws the consent at once, even while the photo is being sent. A waiting photo stays queued. */
export async function withdrawStart(userId: number, slot: UploadSlot): Promise<Withdrawal> {
  let withdrawal: Withdrawal = 'withdrawn';
  await change(userId, slot, (now) => {
    if (!now?.start) return now;
    if (now.generationId !== null || isStartInProgress(now)) {
      withdrawal = 'underway';
      return now;
    }
    if (now.startRequest !== 'none') withdrawal = 'unsure';
    return now.isPhotoKnown ? null : { ...now, start: null };
  });
  return withdrawal;
}

/** Sends the photos and starts that waited for a consent to the documents, once that was given. */
export async function resumeAfterConsent(userId: number): Promise<void> {
  for (const slot of UPLOAD_SLOTS) {
    await change(userId, slot, (now) => (now?.awaitsConsent ? { ...now, awaitsConsent: false } : now));
  }
  await askToSend();
}

/** Removes the queued photo and its consent. A start that is under way stays until it is answered. */
export async function giveUpQueuedUpload(userId: number, slot: UploadSlot): Promise<void> {
  await change(userId, slot, (now) => (now && isStartInProgress(now) ? now : null));
}

/** Removes a finished upload that the page has read, unless another one has replaced it. */
export async function forgetQueuedUpload(userId: number, slot: UploadSlot, id: string): Promise<void> {
  await change(userId, slot, (now) => (now?.id === id ? null : now));
}

/**
 * Sends everything that waits. Returns the milliseconds until it should be called again, or null when nothing waits.
 * `isPatient`: an upload that recently did not succeed, from any sender, stays until its pause is over. A time
 * that the server has asked for always counts. A stopped one is not sent.
 */
export function sendQueuedUploads(userId: number, { isPatient = false } = {}): Promise<number | null> {
  return withLock(async () => {
    const pauses: number[] = [];
    for (const slot of UPLOAD_SLOTS) {
      const pause = await sendOne(userId, slot, isPatient);
      if (pause !== null) pauses.push(pause);
    }
    return pauses.length > 0 ? Math.min(...pauses) : null;
  });
}

/**
 * Calls the listener for changes by this tab, by others and by the worker. `isNew`: there is something new to send.
 * Returns the function that unsubscribes.
 */
export function subscribeUploads(listener: (isNew: boolean) => void): () => void {
  return listenToTabs(CHANNEL, (news) => listener(news === NEWS.queued));
}

async function sendOne(userId: number, slot: UploadSlot, isPatient: boolean): Promise<number | null> {
  const waiting = await readQueuedUpload(userId, slot);
  if (!waiting || isSettled(waiting) || readWait(waiting).isStopped) return null;
  // One that has become too old is refused below.
  if (waiting.awaitsConsent && !(waiting.start && isStale(waiting.start, Date.now()))) return null;
  const pause = pauseAfter(waiting, isPatient);
  if (pause > 0) return pause;
  const { id } = waiting;
  const update: UpdateSame = (part) => changeSame(userId, slot, id, part);
  try {
    if (waiting.file) {
      const photo = await sendFile(id, waiting.file);
      await update(() => ({ photo, file: null, tries: 0, trouble: null }));
    }
    await startAsAgreed(id, update);
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (isConsentRefusal(error.code)) {
      await update(() => ({ awaitsConsent: true, startRequest: 'none', tries: 0 }));
      return null;
    }
    if (isRefusal(error)) {
      await update(() => ({ failure: { message: describeError(error, NOT_TAKEN), code: error.code }, start: null }));
      return null;
    }
    // What was not known before this try stays so.
    const isKnown = waiting.startRequest === 'none' && STORAGE_ERRORS.some((code) => code === error.code);
    const left = await update(({ tries, startRequest }) => ({
      tries: tries + 1,
      triedAt: Date.now(),
      trouble: readTrouble(error),
      startRequest: startRequest === 'none' || isKnown ? 'none' : 'unanswered',
    }));
    return left && !readWait(left).isStopped ? pauseAfter(left) : null;
  }
}

/** Whether sending the same upload again would not help. */
function isRefusal({ status, code }: ApiError): boolean {
  return (!isUncertain(status) && status !== 401) || TOOL_OBSTACLES.some((obstacle) => obstacle === code);
}

/** Changes the upload that is being sent; returns null if it was removed or replaced in the meantime. */
type UpdateSame = (part: (now: QueuedUpload) => Partial<QueuedUpload>) => Promise<QueuedUpload | null>;

/** Starts according to the current consent, which may have come or been withdrawn while the photo was being sent. */
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

/** Whether a start request is in flight. The timeout also covers a page that was closed in the middle. */
function isStartInProgress({ startRequest, generationId, failure, triedAt }: QueuedUpload): boolean {
  return startRequest === 'underway' && !generationId && !failure && Date.now() - triedAt < START_TIMEOUT_MS;
}

function sendFile(id: string, { name, folder, type, bytes }: NonNullable<QueuedUpload['file']>) {
  const form = new FormData();
  form.set(uploadPhoto.file, new File([bytes], name, { type }));
  return sendBody(uploadPhoto, form, {
    headers: { [IDEMPOTENCY_KEY_HEADER]: id },
    timeoutMs: UPLOAD_TIMEOUT_MS,
    query: { folder: folder ?? undefined },
  });
}

async function change(
  userId: number,
  slot: UploadSlot,
  to: (now: QueuedUpload | null) => QueuedUpload | null,
): Promise<QueuedUpload | null> {
  let isSeen = false;
  const upload = await updateStored(userId, keyOf(slot), queuedUpload, (now) => {
    const next = to(now);
    const hasStopped = (upload: QueuedUpload | null) => upload !== null && readWait(upload).isStopped;
    isSeen = SHOWN_PARTS.some((part) => now?.[part] !== next?.[part]) || hasStopped(now) !== hasStopped(next);
    return next;
  });
  if (isSeen) tellTabs(CHANNEL, NEWS.changed);
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

/** The parts that pages show. Of the tries they only show that these have stopped. */
const SHOWN_PARTS = ['id', 'file', 'photo', 'start', 'awaitsConsent', 'generationId', 'failure', 'trouble'] as const;

function keyOf(slot: UploadSlot): string {
  return `queuedUpload.${slot}`;
}

/** Two kinds, because the sender's own changes must not make it send again. */
const NEWS = { queued: 'queued', changed: 'changed' } as const;

function withLock<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks.request(LOCK, work) as Promise<T>;
}

/** Asks tabs and, by background sync, the worker to send. */
async function askToSend(): Promise<void> {
  tellTabs(CHANNEL, NEWS.queued);
  await askForSync(UPLOADS_SYNC_TAG);
}
