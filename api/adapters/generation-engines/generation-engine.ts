import type { Readable } from 'node:stream';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import type { AspectRatio, MotionPreset, ProductCategory } from '#shared/rules/motion-presets.ts';
import type { SubjectKind } from '#shared/rules/suiting-backgrounds.ts';
import type { InputRoleOf } from '#shared/rules/tools.ts';

/** Opens a source photo: a JPEG, PNG or WebP without metadata, upright, sRGB. */
export type OpenPhoto = () => Promise<Readable>;
/** The photos that a kind of generation is made from, by the part that each plays. */
export type OrderedPhotos<Kind extends GenerationKind> = Readonly<Record<InputRoleOf<Kind>, OpenPhoto>>;

/** What is to be made, in words that every engine understands. */
export interface VideoOrder {
  kind: 'video';
  /** Also the engine's idempotency key: the same order started twice is one job. */
  generationId: string;
  photos: OrderedPhotos<'video'>;
  preset: MotionPreset;
  category: ProductCategory;
  prompt: string;
  negativePrompt: string;
  durationSeconds: number;
  cfgScale: number;
  aspectRatio: AspectRatio;
}

export interface OrderedBackground {
  id: string;
  openImage: () => Promise<Readable>;
  /** Where its floor begins, as a share of the height from above; null where that is not known. */
  floor: number | null;
}

/** The person of the photo replaced by a model, before another background; or another background alone. */
export interface ModelChangeOrder {
  kind: 'model_change';
  generationId: string;
  photos: OrderedPhotos<'model_change'>;
  /** Null: the photo's own person stays, as with every engine that is not generative. */
  model: { id: string; openImage: () => Promise<Readable> } | null;
  /** Null: the photo's own background is kept. */
  background: OrderedBackground | null;
}

/** Several frames of one product from one photo. */
export interface PhotosessionOrder {
  kind: 'photosession';
  generationId: string;
  photos: OrderedPhotos<'photosession'>;
  frames: number;
}
export type GenerationOrder = VideoOrder | ModelChangeOrder | PhotosessionOrder;

/** One file that the engine made. */
export interface EngineOutput {
  contentType: 'video/mp4' | 'image/jpeg' | 'image/png' | 'image/webp';
  /** Its place among the outputs of the order, from 0. */
  position: number;
  open: () => Promise<Readable>;
}

export interface EngineFailure {
  /** `photo_unsuitable` is the person's to mend, `engine_error` ours or the maker's. */
  code: 'engine_error' | 'photo_unsuitable';
  /** For the log, never shown. */
  detail: string;
  /** Whether starting the same order again may help. */
  shouldRetry: boolean;
}

export type EngineReport =
  | { state: 'queued' }
  /** `share`: work done, 0 to 1; null where the engine does not say. */
  | {
      state: 'preparing' | 'running';
      share: number | null;
      /** Outputs that are ready while others are still made. */
      outputs?: EngineOutput[];
    }
  | { state: 'completed'; outputs: EngineOutput[] }
  | { state: 'failed'; failure: EngineFailure }
  /** The engine does not know the job (any more): the order has to be started again. */
  | { state: 'unknown' };

/**
 * Makes pictures and videos. Built for engines that take minutes and live elsewhere: start returns at
 * once, poll tells how far it is, and both may be called again after a crash.
 * Methods throw only when the engine cannot be reached; the caller then tries again later.
 */
export interface GenerationEngine {
  readonly name: string;
  /** False for an engine that only moves the pixels of the photo; the interface says so. */
  readonly isGenerative: boolean;
  /** Pause between polls, in milliseconds. */
  readonly pollIntervalMs: number;
  /** Jobs of this engine that one worker process may attend to at a time. */
  readonly concurrency: number;
  /** Returns the engine's own id of the job. */
  start(order: GenerationOrder): Promise<string>;
  poll(jobId: string): Promise<EngineReport>;
  /** `runs_on`: the maker cannot stop it any more. Absent where the maker never can. */
  cancel?(jobId: string): Promise<'cancelled' | 'runs_on'>;
  /** Reads the maker's notification; null when it is not genuine. Absent where the maker sends none. */
  parseWebhook?(request: {
    headers: Record<string, string | string[] | undefined>;
    body: Buffer;
  }): Promise<{ jobId: string } | null>;
  /** Guesses what a photo shows, within a second or so. Absent where the engine has no eyes for that. */
  lookAtPhoto?(photo: Buffer, signal: AbortSignal): Promise<SubjectKind>;
  /** Forgets the job and removes its temporary files, once the outputs are kept. */
  dispose(jobId: string): Promise<void>;
  close(): Promise<void>;
}
