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

/** What the server answers to a start. */
export interface Started {
  generationId: string;
  /** Null unless the answer brought the end along. */
  early?: EarlyEnd | null;
}

/** What a generation is started with. */
export interface StartRequest<Form> {
  photo: UploadedPhoto;
  form: Form;
}

/** What an outcome is in the words of a tool. */
export interface Telling {
  toast?: ToastOptions | undefined;
  /** Counted as `error_occurred`. */
  error?: { type: string; message: string | undefined };
}

/** All that tells one tool from another; the lifecycle is the same. `Form`: what the person has chosen beside the photo. */
export interface GenerationTool<Form, Subject, View extends GenerationView> {
  kind: View['kind'];
  policy: FollowPolicy<Subject, View>;
  /** How it keeps on the device what is followed. */
  record: DeviceRecord<Subject>;
  /** Of a generation of which only the id is known. */
  unknownSubject: Subject;
  subjectOfStart: (request: StartRequest<Form>) => Subject;
  subjectOfActive: (active: ActiveGeneration) => Subject;
  /** What the server is sent; the same body sent again is the same intention. */
  toBody: (request: StartRequest<Form>) => object;
  send: (request: StartRequest<Form>, options: { headers: Record<string, string> }) => Promise<Started>;
  /** The same start, agreed to now and sent when there is a connection. */
  consent: (form: Form, agreedAt: number) => ConsentedStart;
  tell: (outcome: Outcome, view: View | null) => Telling;
  /** Said where the server gives no reason for a refused start. */
  startFailedText: string;
  /** Title of a start that failed, and the type of its error. */
  startFailedTitle: string;
  startErrorType: string;
  /** Instead of the usual words; undefined: the usual ones. Null: somebody else says it. */
  tellRefusedStart?: (error: unknown) => ToastOptions | null | undefined;
}

/** Videos are asked for rarely and given up in the end; the specification fixes when. */
export const PATIENT_POLLING = {
  pauseMs: POLL_INTERVAL_MS,
  pauseAfterFailureMs: pollDelayMs,
  maxFailures: POLL_MAX_FAILURES,
  limitMs: POLL_TIMEOUT_MS,
} as const;

/** Pictures are asked for often and never given up; not so often into a server that is down. */
export function steadyPolling(pauseMs: number) {
  return {
    pauseMs,
    pauseAfterFailureMs: () => POLL_INTERVAL_MS,
    maxFailures: Number.POSITIVE_INFINITY,
    limitMs: Number.POSITIVE_INFINITY,
  };
}
