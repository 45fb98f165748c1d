import type { Readable } from 'node:stream';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import type { AspectRatio, MotionPreset, ProductCategory } from '#shared/rules/motion-presets.ts';
import type { SubjectKind } from '#shared/rules/suiting-backgrounds.ts';
import type { InputRoleOf } from '#shared/rules/tools.ts';

/** Opens a source photo: a JPEG, PNG or WebP without metadata, upright, sRGB. */
export type OpenPhoto = () => Promise<Readable>;
/** The photos that a kind of generation needs, by the role of each. */
export type OrderedPhotos<Kind extends GenerationKind> = Readonly<Record<InputRoleOf<Kind>, OpenPhoto>>;

/** What is to be made, in terms that every engine understands. */
export interface VideoOrder {
  kind: 'video';
  /** The engine's idempotency key, too: starting the same order twice gives one job. */
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
  /** Height at which its floor begins, as a share measured from the top. Null when unknown. */
  floor: number | null;
}

/** A photo with another person, another background or both. */
export interface ModelChangeOrder {
  kind: 'model_change';
  generationId: string;
  photos: OrderedPhotos<'model_change'>;
  /** Null keeps the person of the photo. Engines that are not generative always do. */
  model: { id: string; openImage: () => Promise<Readable> } | null;
  /** Null keeps the background of the photo. */
  background: OrderedBackground | null;
}

/** Several frames of one product, made from one photo. */
export interface PhotosessionOrder {
  kind: 'photosession';
  generationId: string;
  photos: OrderedPhotos<'photosession'>;
  frames: number;
}
export type GenerationOrder = VideoOrder | ModelChangeOrder | PhotosessionOrder;

/** One file made by the engine. */
export interface EngineOutput {
  contentType: 'video/mp4' | 'image/jpeg' | 'image/png' | 'image/webp';
  /** Index among the outputs of the order, from 0. */
  position: number;
  open: () => Promise<Readable>;
}

export interface EngineFailure {
  /** `photo_unsuitable`: another photo helps. `engine_error`: a fault of ours or of the engine's provider. */
  code: 'engine_error' | 'photo_unsuitable';
  /** For the log. Users never see it. */
  detail: string;
  /** Whether starting the same order again may succeed. */
  shouldRetry: boolean;
}

export type EngineReport =
  | { state: 'queued' }
  /** `share`: work done, 0 to 1. Null when the engine does not report it. */
  | {
      state: 'preparing' | 'running';
      share: number | null;
      /** Outputs that are ready while others are still being made. */
      outputs?: EngineOutput[];
    }
  | { state: 'completed'; outputs: EngineOutput[] }
  | { state: 'failed'; failure: EngineFailure }
  /** The engine has no such job, or has forgotten it. The order has to be started again. */
  | { state: 'unknown' };

/**
 * Makes pictures and videos. The interface suits remote engines that take minutes: `start` returns at once, `poll`
 * reports progress, and both may be called again after a crash. Methods throw only when the engine cannot be reached.
 * The caller then tries again later.
 */
export interface GenerationEngine {
  readonly name: string;
  /** False for an engine that only moves the pixels of the photo. The interface tells users which kind it is. */
  readonly isGenerative: boolean;
  /** Pause between polls, in milliseconds. */
  readonly pollIntervalMs: number;
  /** How many jobs of this engine one worker process may run at a time. */
  readonly concurrency: number;
  /** Returns the engine's id of the job. */
  start(order: GenerationOrder): Promise<string>;
  poll(jobId: string): Promise<EngineReport>;
  /** `runs_on`: the job can no longer be stopped. Absent when the engine can never stop a job. */
  cancel?(jobId: string): Promise<'cancelled' | 'runs_on'>;
  /**
   * Reads a notification of the engine's provider. Null when it is not genuine. Absent when the provider sends none.
   */
  parseWebhook?(request: {
    headers: Record<string, string | string[] | undefined>;
    body: Buffer;
  }): Promise<{ jobId: string } | null>;
  /** Guesses what a photo shows, within about a second. Absent when the engine cannot tell. */
  detectSubject?(photo: Buffer, signal: AbortSignal): Promise<SubjectKind>;
  /** Forgets the job and removes its temporary files. Call it when the outputs are stored. */
  dispose(jobId: string): Promise<void>;
  close(): Promise<void>;
}
