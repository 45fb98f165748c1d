import * as z from 'zod/mini';
import { type ApiError, describeError } from '#pwa/client/api-error.ts';
import { consentedStart } from '#pwa/features/consent/consented-start.ts';
import { uploadedPhoto } from '#shared/contract/uploads.ts';
import { backOffMs } from '#shared/rules/back-off.ts';

const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 60_000;
/** Longer waits that a server asks for are cut to this. */
const LONGEST_ASKED_PAUSE_MS = 60 * 60_000;
/**
 * With the pauses between them these take some five minutes, or longer if the server asks for that. Then only the
 * person sends it again.
 */
const MAX_TRIES = 8;
export const NOT_TAKEN = 'Сервер не принял запрос. Попробуйте ещё раз';

/** A photo or a start that waits on the device. */
export const queuedUpload = z.object({
  /** Sent as the Idempotency-Key: a repeat after a lost answer creates no second photo and no second generation. */
  id: z.uuid(),
  /**
   * The file until it has been sent. Plain bytes, because iOS loses its database connection over Blobs from the camera.
   */
  file: z.nullable(
    z.object({
      name: z.string(),
      /** Of the folder that the file comes from. Null when nobody knows it. */
      folder: z.nullable(z.string()),
      type: z.string(),
      bytes: z.instanceof(ArrayBuffer),
    }),
  ),
  /** The uploaded photo, as the server answered. */
  photo: z.nullable(uploadedPhoto),
  /** The server already has the photo, and only the start waits. */
  isPhotoKnown: z.boolean(),
  /** The consent to start a generation. Without it no star is spent. */
  start: z.nullable(consentedStart),
  /**
   * The state of the start request. `underway`: it cannot be taken back. `unanswered`: the server may have received it.
   */
  startRequest: z.enum(['none', 'underway', 'unanswered']),
  /** The server asks for a new consent to the documents first. Until then nothing is sent. */
  awaitsConsent: z.boolean(),
  generationId: z.nullable(z.string()),
  failure: z.nullable(z.object({ message: z.string(), code: z.nullable(z.string()) })),
  queuedAt: z.number(),
  /** How many tries in a row did not succeed, and when the last one was made. */
  tries: z.int(),
  triedAt: z.number(),
  /**
   * What the server said to the last try: why it cannot serve now, and after how many seconds it wants the next one.
   * Null when it was not reached.
   */
  trouble: z.nullable(z.object({ message: z.string(), retryAfter: z.number() })),
});
export type QueuedUpload = z.infer<typeof queuedUpload>;
type Trouble = NonNullable<QueuedUpload['trouble']>;

export interface UploadWait {
  /** Too many tries in a row did not succeed. It is kept, and `retryQueuedUpload` sends it. */
  isStopped: boolean;
  /** The server's words, when it cannot serve now. The person may send it again, too. */
  trouble: string | null;
  /** The person has sent it again after such words, and there is no answer yet. */
  isRepeated: boolean;
  /** The server wants a consent to the documents first. Once the person has given it, it is sent. */
  awaitsConsent: boolean;
}

/** Whether the upload is finished, with or without success, and only waits for the page to read the result. */
export function isSettled({ generationId, failure }: QueuedUpload): boolean {
  return generationId !== null || failure !== null;
}

export function readWait({ tries, trouble, awaitsConsent }: QueuedUpload): UploadWait {
  return {
    isStopped: tries >= MAX_TRIES,
    trouble: tries > 0 && trouble ? trouble.message : null,
    isRepeated: tries === 0 && trouble !== null,
    awaitsConsent,
  };
}

/** Milliseconds left of the back-off after tries that did not succeed, or only of what the server has asked for. */
export function pauseAfter({ tries, triedAt, trouble }: QueuedUpload, isPatient = true): number {
  if (tries === 0) return 0;
  const own = isPatient ? backOffMs(tries - 1, { firstMs: FIRST_PAUSE_MS, longestMs: LONGEST_PAUSE_MS }) : 0;
  const pause = Math.max(own, Math.min((trouble?.retryAfter ?? 0) * 1000, LONGEST_ASKED_PAUSE_MS));
  // A clock that was set back must not lengthen the pause.
  return Math.min(Math.max(triedAt + pause - Date.now(), 0), pause);
}

/** Why the server could not take an upload; null when it was not reached, or a proxy answered instead of it. */
export function readTrouble(error: ApiError): Trouble | null {
  if (error.status < 500 || error.code === null) return null;
  const { retryAfter } = error.details;
  return { message: describeError(error, NOT_TAKEN), retryAfter: typeof retryAfter === 'number' ? retryAfter : 0 };
}

export function emptyUpload(known: Pick<QueuedUpload, 'id'> & Partial<QueuedUpload>): QueuedUpload {
  return {
    file: null,
    photo: null,
    isPhotoKnown: false,
    start: null,
    startRequest: 'none',
    awaitsConsent: false,
    generationId: null,
    failure: null,
    queuedAt: Date.now(),
    tries: 0,
    triedAt: 0,
    trouble: null,
    ...known,
  };
}
