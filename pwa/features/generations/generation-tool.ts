import type * as z from 'zod/mini';
import type { ToastOptions } from '#pwa/components/toast.ts';
import type { ConsentedStart } from '#pwa/features/consent/consented-start.ts';
import type { queueRow } from '#shared/contract/batches.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import type { ActiveGeneration } from '#shared/contract/videos.ts';
import type { DeviceRecord } from './device-record.ts';
import type { EarlyEnd, FollowPolicy, Outcome } from './followed-generation.ts';

export interface Started {
  generationId: string;
  /** Set when the answer already contains the end. */
  early?: EarlyEnd | null;
}

export interface StartRequest<Form> {
  photo: UploadedPhoto;
  form: Form;
}

/** What is put in line, without the id of its row. */
export type QueuedOrder = Omit<z.input<(typeof queueRow)['body']>, 'rowId'>;

/** Said by every tool but video when its status cannot be read. */
export const POLL_FAILED = {
  title: 'Ошибка проверки статуса',
  description: 'Не удалось проверить статус генерации',
} as const;

/** What a page shows of an outcome, and what is counted. */
export interface OutcomeMessage {
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
  /** The same start as a row of the account's line. */
  toOrder: (request: StartRequest<Form>) => QueuedOrder;
  describeOutcome: (outcome: Outcome, view: View | null) => OutcomeMessage;
  /** The text when the server gives no reason for a refused start. */
  startFailedText: string;
  startFailedTitle: string;
  startErrorType: string;
  /**
   * A toast in place of the usual one. Undefined keeps the usual one; null shows none, because something else explains
   * the refusal.
   */
  describeRefusedStart?: (error: unknown) => ToastOptions | null | undefined;
}
