import type { Readable } from 'node:stream';
import type { GarmentCategory } from '#shared/rules/garments.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import type { AspectRatio, MotionPreset, ProductCategory } from '#shared/rules/motion-presets.ts';
import type { VideoSeconds } from '#shared/rules/prices.ts';
import type { SubjectKind } from '#shared/rules/suiting-backgrounds.ts';
import type { Change, FrameSort, Mover, PhotosTravel } from '#shared/rules/tool-abilities.ts';
import type { InputRoleOf } from '#shared/rules/tools.ts';

/** Opens a source photo: a JPEG, PNG or WebP without metadata, upright, sRGB. */
export type OpenPhoto = () => Promise<Readable>;
/** The photos that a kind of generation needs, by the role of each. */
export type OrderedPhotos<Kind extends GenerationKind> = Readonly<Record<InputRoleOf<Kind>, OpenPhoto>>;

/** What every order has, whatever its kind. */
interface OrderBase<Kind extends GenerationKind> {
  kind: Kind;
  generationId: string;
  /** A UUID of this attempt. Each start of a job has another one. */
  runId: string;
  /** Indexes of the outputs to make, from 0. One, unless the engine makes all outputs in one job. */
  positions: readonly number[];
  photos: OrderedPhotos<Kind>;
  /**
   * The transparency that the subject's file had: a grey PNG of the photo's size, 255 for subject. It may contain a
   * soft shadow. The photo itself lies on white. Absent when the file showed no subject by its transparency.
   */
  subjectMask?: OpenPhoto | undefined;
  /** Where the engine's provider may announce the end of the job. Null when it cannot reach this server. */
  webhookUrl: string | null;
}

/** What is to be made, in terms that every engine understands. */
export interface VideoOrder extends OrderBase<'video'> {
  preset: MotionPreset;
  category: ProductCategory;
  prompt: string;
  negativePrompt: string;
  durationSeconds: VideoSeconds;
  cfgScale: number;
  aspectRatio: AspectRatio;
}

export interface OrderedModel {
  id: string;
  /** Who stands in the picture: decides the words of a prompt. */
  gender: 'woman' | 'man';
  openImage: () => Promise<Readable>;
}

export interface OrderedBackground {
  id: string;
  openImage: () => Promise<Readable>;
  /** Height at which its floor begins, as a share measured from the top. Null when unknown. */
  floor: number | null;
}

/** A photo with another person, another background or both. */
export interface ModelChangeOrder extends OrderBase<'model_change'> {
  /** Null keeps the person of the photo. Engines that replace nobody always do. */
  model: OrderedModel | null;
  /** Null keeps the background of the photo. */
  background: OrderedBackground | null;
}

/** Several frames of one product, made from one photo. */
export type PhotosessionOrder = OrderBase<'photosession'>;

/** The person of one photo in the garment of another. The person, the pose and the background stay. */
export interface TryOnOrder extends OrderBase<'try_on'> {
  /** `auto`: the engine has to see what the garment is. */
  category: GarmentCategory;
}

export type GenerationOrder = VideoOrder | ModelChangeOrder | PhotosessionOrder | TryOnOrder;

/** A job at the engine. Stored as it is, so that it is found again after a crash. */
export interface EngineJob {
  /** Unique at the engine. Notifications of its provider name it. */
  id: string;
  /** What else the engine needs to find the job, such as addresses. The engine parses what it wrote. */
  details: Readonly<Record<string, string>>;
}

/** A file of the engine that can never be stored, however often it is opened. */
export class UnusableOutputError extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'UnusableOutputError';
  }
}

/** One file made by the engine. `open`, or the stream it gives, may fail with an UnusableOutputError. */
export interface EngineOutput {
  contentType: 'video/mp4' | 'image/jpeg' | 'image/png' | 'image/webp';
  /** Index among the outputs of the order, from 0. */
  position: number;
  open: () => Promise<Readable>;
}

/**
 * Why a job failed. People see a text for each (`GENERATION_FAILURES`).
 * `photo_unsuitable`: another photo helps. `photo_lost`: its file is not in the storage any more. `content_refused`:
 * the provider's rules forbid it. `engine_unfunded`: the operator's balance at the provider is empty.
 * `engine_misconfigured`: a key, model or template of the operator is wrong. `engine_overloaded`: no capacity now.
 * `engine_timed_out`: it took too long. `job_lost`: the engine has forgotten the job. `job_cancelled`: it was
 * cancelled. `interrupted`: the process that worked on it has ended, which is no fault of the engine. `storage_failed`:
 * the disk on which it works is full or broken. `engine_error`: any other fault.
 */
export const ENGINE_FAILURE_CODES = [
  'photo_unsuitable',
  'photo_lost',
  'content_refused',
  'engine_unfunded',
  'engine_misconfigured',
  'engine_overloaded',
  'engine_timed_out',
  'job_lost',
  'job_cancelled',
  'interrupted',
  'storage_failed',
  'engine_error',
] as const;
export type EngineFailureCode = (typeof ENGINE_FAILURE_CODES)[number];

export interface EngineFailure {
  code: EngineFailureCode;
  /** For the log. Users never see it. No personal data, no keys. */
  detail: string;
  /** Whether starting the same order again may succeed. */
  shouldRetry: boolean;
  /** Whether the provider charges for the job nevertheless. Absent: it does not. */
  isCharged?: boolean;
}

export type SubmitAnswer =
  | { state: 'submitted'; job: EngineJob }
  /** No place is free. Nothing was started. */
  | { state: 'busy' }
  /** Nothing was started and the engine said why. */
  | { state: 'refused'; failure: EngineFailure }
  /** The connection broke after the order had been sent. The job may exist and may be charged. */
  | { state: 'uncertain'; detail: string };

export type EngineReport =
  | { state: 'queued' }
  /** `share`: work done, 0 to 1. Null when the engine does not report it. `outputs`: those that are ready. */
  | { state: 'preparing' | 'running'; share: number | null; outputs?: EngineOutput[] }
  | { state: 'completed'; outputs: EngineOutput[] }
  | { state: 'failed'; failure: EngineFailure }
  /** The engine has no such job, or has forgotten it. The order has to be submitted again. */
  | { state: 'unknown' };

/** What the price of a job depends on. */
export type PricedWork = Pick<VideoOrder, 'kind' | 'durationSeconds'> | { kind: Exclude<GenerationKind, 'video'> };

/** Price of one job, fixed by the operator's table. */
export interface JobPrice {
  /** Millionths of the currency's unit: 350000 are 0.35 USD. */
  micros: number;
  /** ISO 4217. */
  currency: string;
}

export interface WebhookRequest {
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** The engine cannot be reached. After `decidesInMs` its next poll says what becomes of the job. */
export class EngineAwayError extends Error {
  readonly decidesInMs: number;

  constructor(cause: Error, decidesInMs: number) {
    super(cause.message, { cause });
    this.name = 'EngineAwayError';
    this.decidesInMs = decidesInMs;
  }
}

/** What an engine can do with a tool's orders. Null where it cannot make them at all. */
export interface EngineAbilities {
  video: { mover: Mover; seconds: readonly VideoSeconds[]; aspectRatios: readonly AspectRatio[] } | null;
  model_change: { change: Change } | null;
  photosession: { frames: FrameSort } | null;
  try_on: true | null;
}

/**
 * Makes pictures and videos. The interface suits remote engines that take minutes: `submit` hands an order in, `poll`
 * reports how far its job is, and both may be called by another process after a crash. An order that is submitted twice
 * may be charged twice, so an engine never repeats a submit by itself.
 */
export interface GenerationEngine {
  readonly name: string;
  readonly abilities: EngineAbilities;
  /** Where the photos travel: nowhere, to a server of the operator, or abroad. */
  readonly photosTravel: PhotosTravel;
  /** Whether a stand-in answers in the provider's place, so that nothing is really generated. The pages say so. */
  readonly isDemonstration?: boolean;
  /**
   * Whether its files already have the format and the size that marketplaces take. Others are cut, padded and encoded
   * before they are stored.
   */
  readonly makesFinalFiles: boolean;
  /** `together`: one job makes all outputs of an order. `apart`: each output is a job of its own. */
  readonly outputsOfOrder: 'together' | 'apart';
  /** Pause between polls of one job, in milliseconds. */
  readonly pollIntervalMs: number;
  /** How many orders of this engine one worker process follows at a time. */
  readonly concurrency: number;
  /** An interrupted submit of this age has certainly ended, in milliseconds. */
  readonly submitTimeoutMs: number;
  /** The id of the model or template that makes this order, for the books. */
  describeModel(order: GenerationOrder): string;
  /** Null when the engine costs nothing by the job. */
  priceOf(work: PricedWork): JobPrice | null;
  /** Throws only when the engine cannot be reached and nothing was started. The caller tries again later. */
  submit(order: GenerationOrder): Promise<SubmitAnswer>;
  /**
   * The job of an order whose submit was interrupted. Absent when the engine cannot look for it. Throws like submit.
   */
  findJob?(order: GenerationOrder): Promise<EngineJob | null>;
  /** Throws only when the engine cannot be reached: an EngineAwayError when it soon gives the job up. */
  poll(job: EngineJob, order: { positions: readonly number[] }): Promise<EngineReport>;
  /**
   * Resolves when the job of this generation that runs now has ended, so that its end is not only seen by the next
   * poll. Null when none runs. Absent when the engine does not work in this process, or makes the outputs apart.
   */
  whenEnded?(generationId: string): Promise<void> | null;
  /**
   * `runs_on`: the job can no longer be stopped. Absent when the engine can never stop a job. Throws only when the
   * engine cannot be reached.
   */
  cancel?(job: EngineJob): Promise<'cancelled' | 'runs_on'>;
  /** Reads a notification of the provider. Null when it is not genuine. Absent when the provider sends none. */
  parseWebhook?(request: WebhookRequest): Promise<{ jobId: string } | null>;
  /**
   * Resolves when the engine answers, knows our key and fits our models or templates, as far as that can be told
   * without starting a job. Throws otherwise, with words for the operator. Absent when it works in this process.
   */
  check?(): Promise<void>;
  /** Guesses what a photo shows, within about a second. Absent when the engine cannot tell. */
  detectSubject?(photo: Buffer, signal: AbortSignal): Promise<SubjectKind>;
  /** Forgets the job and removes its files where the engine allows it. Call it when the outputs are stored. */
  dispose(job: EngineJob): Promise<void>;
  close(): Promise<void>;
}

export interface EngineRegistry {
  /** Makes new orders of this kind. Null when no engine can: then the tool is not offered. */
  of(kind: GenerationKind): GenerationEngine | null;
  /** Every engine that can be called, also those that get no new orders. */
  readonly all: readonly GenerationEngine[];
  find(name: string): GenerationEngine | null;
}
