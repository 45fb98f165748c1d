import type { ToastOptions } from '#pwa/components/toast.ts';
import type { ConsentedStart } from '#pwa/lib/consented-start.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import type { ActiveGeneration } from '#shared/contract/videos.ts';
import {
  POLL_INTERVAL_MS,
  POLL_MAX_FAILURES,
  POLL_TIMEOUT_MS,
  pollDelayMs,
} from '#shared/rules/generation-lifecycle.ts';
import type { DeviceRecord } from './device-record.ts';
import type { EarlyEnd, FollowPolicy, Outcome } from './followed-generation.ts';

/** The server's answer to a start. */
export interface Started {
  generationId: string;
  /** Set when the answer already contains the end. */
  early?: EarlyEnd | null;
}

/** The input of a start. */
export interface StartRequest<Form> {
  photo: UploadedPhoto;
  form: Form;
}

/** How a tool announces an outcome. */
export interface Telling {
  toast?: ToastOptions | undefined;
  /** Counted as `error_occurred`. */
  error?: { type: string; message: string | undefined };
}

/**
 * Everything in which one tool differs from another; the lifecycle is the same. `Form` is what the person chooses
 * beside the photo.
 */
export interface GenerationTool<Form, Subject, View extends GenerationView> {
  kind: View['kind'];
  policy: FollowPolicy<Subject, View>;
  /** Stores the followed generation on the device. */
  record: DeviceRecord<Subject>;
  /** The subject of a generation of which only the id is known. */
  unknownSubject: Subject;
  subjectOfStart: (request: StartRequest<Form>) => Subject;
  subjectOfActive: (active: ActiveGeneration) => Subject;
  /** The request body. The same body sent again is the same intention. */
  toBody: (request: StartRequest<Form>) => object;
  send: (request: StartRequest<Form>, options: { headers: Record<string, string> }) => Promise<Started>;
  /** The consent to the same start, which is sent when there is a connection. */
  consent: (form: Form, agreedAt: number) => ConsentedStart;
  tell: (outcome: Outcome, view: View | null) => Telling;
  /** The text when the server gives no reason for a refused start. */
  startFailedText: string;
  /** The title of a failed start, and the type of its error event. */
  startFailedTitle: string;
  startErrorType: string;
  /**
   * A toast in place of the usual one. Undefined keeps the usual one; null shows none, because something else explains
   * the refusal.
   */
  tellRefusedStart?: (error: unknown) => ToastOptions | null | undefined;
}

/** The polling of videos, fixed by the specification: rare, and given up in the end. */
export const PATIENT_POLLING = {
  pauseMs: POLL_INTERVAL_MS,
  pauseAfterFailureMs: pollDelayMs,
  maxFailures: POLL_MAX_FAILURES,
  limitMs: POLL_TIMEOUT_MS,
} as const;

/** The polling of pictures: frequent and never given up, but slower while the server fails. */
export function steadyPolling(pauseMs: number) {
  return {
    pauseMs,
    pauseAfterFailureMs: () => POLL_INTERVAL_MS,
    maxFailures: Number.POSITIVE_INFINITY,
    limitMs: Number.POSITIVE_INFINITY,
  };
}
