import * as z from 'zod/mini';
import { ARTICLE_MAX_LENGTH } from '#shared/rules/articles.ts';
import {
  BATCH_ALL_ROWS_MAX,
  BATCH_NAME_MAX_LENGTH,
  PAUSE_CODES,
  ROW_NAME_MAX_LENGTH,
  ROW_NOTE_MAX_LENGTH,
  ROW_STATES,
  ROWS_ADDED_MAX,
} from '#shared/rules/batches.ts';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { CHANGES } from '#shared/rules/tool-abilities.ts';
import { defineEndpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { garmentCheck, REROLL_STATES } from './garment-checks.ts';
import { byId, idText, lineOfText, pageCursor } from './ids.ts';
import { modelChangeChoice } from './model-change-settings.ts';
import { progress } from './progress.ts';
import { resultName } from './result-name.ts';
import { STORAGE_ERRORS } from './storage-errors.ts';
import { tryOnSettings } from './try-on-settings.ts';
import { PHOTO_ERRORS, PHOTO_ROOM_ERRORS, uploadedPhoto } from './uploads.ts';
import { videoSettings } from './video-settings.ts';

const byRow = z.object({ id: idText, row: idText });

const agreedChange = z.optional(z.enum(CHANGES));

/**
 * What rows are made with. A photo session has nothing to choose. `agreedChange`: what the person was told that the tool
 * makes.
 */
export const batchSet = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('video'), settings: videoSettings }),
  z.object({ kind: z.literal('model_change'), settings: z.extend(modelChangeChoice, { agreedChange }) }),
  z.object({ kind: z.literal('photosession'), settings: z.object({}) }),
  z.object({ kind: z.literal('try_on'), settings: tryOnSettings }),
]);
export type BatchSet = z.output<typeof batchSet>;

const counts = z.object({
  all: z.int(),
  ...(Object.fromEntries(ROW_STATES.map((state) => [state, z.int()])) as Record<
    (typeof ROW_STATES)[number],
    z.ZodMiniInt
  >),
});

/** Rows and what they cost together, in stars. */
const priced = z.object({ rows: z.int(), stars: z.int() });

export const batch = z.object({
  id: z.string(),
  name: z.string(),
  /** `open`: nothing of it waits or runs. */
  status: z.enum(['open', 'running', 'paused']),
  /** Whether it is the line behind a running generation of the tool. */
  isQueue: z.boolean(),
  createdAt: z.iso.datetime(),
  startedAt: z.nullable(z.iso.datetime()),
  /** What its rows are made with, unless a row differs. */
  set: batchSet,
  /** The photo of the person, for a try-on. */
  personPhoto: z.nullable(uploadedPhoto),
  /** Null unless it is paused. */
  pause: z.nullable(
    z.object({
      code: z.enum(PAUSE_CODES),
      message: z.string(),
      /** When it goes on by itself. Null when its owner has to do something. */
      resumesAt: z.nullable(z.iso.datetime()),
      /** How many stars are missing for all that wait. Null unless that is the reason. */
      missingStars: z.nullable(z.int()),
    }),
  ),
  continuesAfterPurchase: z.boolean(),
  /** The number of rows in each state. `all` is their sum. */
  counts,
  /** Of the rows that are done: undecided, taken and not taken. */
  review: z.object({ left: z.int(), taken: z.int(), notTaken: z.int() }),
  /** What starting the ready rows, going on with the waiting ones, or repeating the failed ones costs now. */
  prices: z.object({ ready: priced, waiting: priced, failed: priced, stopped: priced }),
  /** For how many of the ready rows, in their order, the balance is enough. */
  affordableRows: z.int(),
  /** How long the ready, waiting and running rows take together, in seconds, if nobody else waits. */
  secondsLeft: z.int(),
  /** Whether it has come to rest since its owner looked. */
  isUnseen: z.boolean(),
});
export type Batch = z.output<typeof batch>;

const rowResult = z.object({
  id: z.string(),
  generationId: z.string(),
  ...resultName,
  url: z.string(),
  previewUrl: z.string(),
  thumbnailUrl: z.string(),
  isWatermarked: z.boolean(),
  width: z.int(),
  height: z.int(),
  durationSeconds: z.nullable(z.number()),
  garmentCheck: z.nullable(garmentCheck),
});

export const batchRow = z.object({
  id: z.string(),
  position: z.int(),
  /** Of the file. */
  name: z.string(),
  size: z.nullable(z.int()),
  /** Of the folder that the file comes from. Null when nobody knows it. */
  folder: z.nullable(z.string()),
  state: z.enum(ROW_STATES),
  /** Why it was refused or has failed. Null otherwise. */
  reason: z.nullable(z.object({ code: z.string(), message: z.string() })),
  /** Null while it is uploaded, and when it was deleted. For a duplicate the photo that is there already. */
  photo: z.nullable(uploadedPhoto),
  /** The article that was told before there was a photo. Then the photo has it. */
  article: z.nullable(z.string()),
  note: z.nullable(z.string()),
  /** Its own settings. Null: as all. */
  set: z.nullable(batchSet),
  /** What its next attempt costs, in stars. */
  stars: z.int(),
  attempts: z.int(),
  /** The last attempt. */
  generationId: z.nullable(z.string()),
  progress: z.nullable(progress),
  /** Of the last attempt, in order, without deleted ones. A re-roll's with the earlier frames that it has not made. */
  results: z.array(rowResult),
  /** Whether its drifted results can be made again for nothing. */
  reroll: z.enum(REROLL_STATES),
  /** What its owner has decided of the results. Null: nothing yet. */
  isTaken: z.nullable(z.boolean()),
});
export type BatchRow = z.output<typeof batchRow>;

const name = lineOfText(BATCH_NAME_MAX_LENGTH, {
  missing: 'Введите название партии',
  tooLong: `Название партии должно быть не длиннее ${BATCH_NAME_MAX_LENGTH} символов`,
  unprintable: 'В названии партии есть недопустимые символы',
});
const article = lineOfText(ARTICLE_MAX_LENGTH, {
  missing: 'Введите артикул',
  tooLong: `Артикул должен быть не длиннее ${ARTICLE_MAX_LENGTH} символов`,
  unprintable: 'В артикуле есть недопустимые символы',
});
const note = z.string().check(z.trim(), z.maxLength(ROW_NOTE_MAX_LENGTH, 'Примечание слишком длинное'));
/** Why the client cannot send the file of a row, such as a line of a CSV that fits no file. Then the row is refused. */
export const ROW_REFUSALS = [
  'csv_file_missing',
  'csv_line_invalid',
  'csv_set_unknown',
  'photo_not_image',
  'photo_format_refused',
  'photo_too_large',
  'photo_unreadable',
  'zip_entry_encrypted',
  'zip_entry_broken',
] as const satisfies ErrorCode[];
export type RowRefusal = (typeof ROW_REFUSALS)[number];

const sha256 = z.string().check(z.regex(/^[\da-f]{64}$/));
const rowIds = z.array(z.uuid()).check(z.minLength(1), z.maxLength(BATCH_ALL_ROWS_MAX));
const agreedStars = z.int().check(z.minimum(0), z.maximum(1_000_000));

const OWN_BATCH = ['batch_not_found', 'batch_forbidden'] as const satisfies ErrorCode[];
const OWN_ROW = [...OWN_BATCH, 'batch_row_not_found'] as const satisfies ErrorCode[];

export const listBatches = defineEndpoint({
  method: 'GET',
  path: '/api/batches',
  summary: 'Batches of the account, newest first',
  access: 'account',
  query: z.object({
    cursor: pageCursor,
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(20)), 20),
    /** Only the lines behind what runs of this tool, of which something waits or runs. */
    lineOf: z.optional(z.enum(GENERATION_KINDS)),
  }),
  answer: z.object({
    batches: z.array(z.extend(batch, { /** Thumbnails of its first photos. */ covers: z.array(z.string()) })),
    nextCursor: z.nullable(z.string()),
  }),
  errors: ['too_many_requests'],
});
export type ListedBatch = z.output<typeof listBatches.answer>['batches'][number];

export const createBatch = defineEndpoint({
  method: 'POST',
  path: '/api/batches',
  summary: 'A new batch without rows; a repeat with the same id answers the same batch',
  access: 'account',
  body: z.object({
    id: z.uuid(),
    name: z.optional(name),
    set: batchSet,
    /** For a try-on. */
    personPhotoId: z.optional(z.nullable(idText)),
  }),
  answer: batch,
  errors: ['batches_full', 'batch_forbidden', 'photo_not_found', 'photo_forbidden', 'too_many_requests'],
});

export const getBatch = defineEndpoint({
  method: 'GET',
  path: '/api/batches/:id',
  summary: 'A batch with all its rows',
  access: 'account',
  params: byId,
  answer: z.object({ batch, rows: z.array(batchRow) }),
  errors: OWN_BATCH,
});

/** Nothing that waits or runs is changed. While rows wait, the settings of all cannot be changed. */
export const changeBatch = defineEndpoint({
  method: 'PATCH',
  path: '/api/batches/:id',
  summary: 'Changes the name, the settings of all rows, or whether it goes on after a purchase',
  access: 'account',
  params: byId,
  body: z.object({
    name: z.optional(name),
    set: z.optional(batchSet),
    personPhotoId: z.optional(z.nullable(idText)),
    continuesAfterPurchase: z.optional(z.boolean()),
  }),
  answer: batch,
  errors: [...OWN_BATCH, 'batch_rows_wait', 'photo_not_found', 'photo_forbidden', 'too_many_requests'],
});

/** Results stay. */
export const deleteBatch = defineEndpoint({
  method: 'DELETE',
  path: '/api/batches/:id',
  summary: 'Removes a batch of which nothing runs, and keeps photos and results',
  access: 'account',
  params: byId,
  errors: [...OWN_BATCH, 'batch_runs'],
});

export const addRows = defineEndpoint({
  method: 'POST',
  path: '/api/batches/:id/rows',
  summary: 'Adds rows before their files are sent, or with photos that are there; a repeat of an id changes nothing',
  access: 'account',
  params: byId,
  body: z.object({
    rows: z
      .array(
        z.object({
          id: z.uuid(),
          name: z.string().check(z.maxLength(500)),
          size: z.optional(z.int().check(z.minimum(0))),
          folder: z.optional(z.string().check(z.maxLength(ROW_NAME_MAX_LENGTH))),
          /** SHA-256 of the file, if known: one that the account has is a duplicate and need not be sent. */
          sha256: z.optional(sha256),
          /** A photo of the account, in place of a file. */
          photoId: z.optional(idText),
          article: z.optional(z.nullable(article)),
          note: z.optional(z.nullable(note)),
          /** Its own settings, of the same tool. */
          set: z.optional(batchSet),
          refusal: z.optional(z.enum(ROW_REFUSALS)),
        }),
      )
      .check(z.minLength(1), z.maxLength(ROWS_ADDED_MAX)),
  }),
  answer: z.object({ batch, rows: z.array(batchRow) }),
  errors: [...OWN_BATCH, 'batch_full', 'invalid_request', 'photo_not_found', 'photo_forbidden', 'too_many_requests'],
});

/** A file that cannot be used refuses its row: the answer is the row. Errors leave the row as it was. */
export const uploadRowPhoto = defineEndpoint({
  method: 'POST',
  path: '/api/batches/:id/rows/:row/photo',
  summary: 'Sends the file of a row; repeatable',
  access: 'account',
  params: byRow,
  file: 'image',
  answer: batchRow,
  errors: [
    ...OWN_ROW,
    ...PHOTO_ERRORS,
    ...PHOTO_ROOM_ERRORS,
    ...STORAGE_ERRORS,
    'deletion_asked',
    'consent_required',
    'too_many_requests',
  ],
});

/** A row that has its photo, or is refused, stays as it is. `photo_not_found`: the file has to be sent. */
export const settleRow = defineEndpoint({
  method: 'POST',
  path: '/api/batches/:id/rows/:row/unsent',
  summary:
    'Tells why the file of a row is not sent: the account has the same one, by its SHA-256, or it cannot be used',
  access: 'account',
  params: byRow,
  body: z.union([z.object({ sha256 }), z.object({ refusal: z.enum(ROW_REFUSALS) })]),
  answer: batchRow,
  errors: [...OWN_ROW, 'photo_not_found', 'too_many_requests'],
});

export const changeRow = defineEndpoint({
  method: 'PATCH',
  path: '/api/batches/:id/rows/:row',
  summary: 'Changes a row that does not wait or run',
  access: 'account',
  params: byRow,
  body: z.object({
    /** Null takes it away. */
    article: z.optional(z.nullable(article)),
    note: z.optional(z.nullable(note)),
    /** Null: as all. */
    set: z.optional(z.nullable(batchSet)),
  }),
  answer: batchRow,
  errors: [...OWN_ROW, 'batch_rows_wait', 'too_many_requests'],
});

export const keepDuplicates = defineEndpoint({
  method: 'POST',
  path: '/api/batches/:id/rows/keep',
  summary: 'Takes duplicates into the batch nevertheless',
  access: 'account',
  params: byId,
  body: z.object({ rowIds }),
  answer: z.object({ batch, rows: z.array(batchRow) }),
  errors: [...OWN_BATCH, 'too_many_requests'],
});

/** Those that run stay. */
export const removeRows = defineEndpoint({
  method: 'POST',
  path: '/api/batches/:id/rows/remove',
  summary: 'Removes rows that do not run; photos and results stay',
  access: 'account',
  params: byId,
  body: z.object({ rowIds }),
  answer: z.object({ batch, rows: z.array(batchRow) }),
  errors: [...OWN_BATCH, 'too_many_requests'],
});

const SPENDING = [
  ...OWN_BATCH,
  'price_changed',
  'batch_empty',
  'batch_person_missing',
  'consent_required',
  'transfer_consent_required',
  'email_not_verified',
  'deletion_asked',
  'tool_not_offered',
  'too_many_requests',
] as const satisfies ErrorCode[];

/** With `Idempotency-Key`. */
export const startBatch = defineEndpoint({
  method: 'POST',
  path: '/api/batches/:id/start',
  summary: 'Puts the ready rows in line, or the first three of them as a pilot; stars are held when a row starts',
  access: 'verified',
  params: byId,
  body: z.object({
    isPilot: z._default(z.boolean(), false),
    /** The sum of the prices that the person has seen. */
    agreedStars,
    continuesAfterPurchase: z.optional(z.boolean()),
  }),
  answer: batch,
  errors: SPENDING,
});

/** What runs is finished. */
export const pauseBatch = defineEndpoint({
  method: 'POST',
  path: '/api/batches/:id/pause',
  summary: 'Starts no more rows until it goes on; running ones are finished',
  access: 'account',
  params: byId,
  answer: batch,
  errors: OWN_BATCH,
});

export const resumeBatch = defineEndpoint({
  method: 'POST',
  path: '/api/batches/:id/resume',
  summary: 'Goes on with what waits, at the price that the person has seen',
  access: 'verified',
  params: byId,
  body: z.object({ agreedStars }),
  answer: batch,
  errors: [
    ...OWN_BATCH,
    'price_changed',
    'batch_person_missing',
    'consent_required',
    'transfer_consent_required',
    'deletion_asked',
    'tool_not_offered',
  ],
});

export const stopBatch = defineEndpoint({
  method: 'POST',
  path: '/api/batches/:id/stop',
  summary: 'Stops what waits; running rows are finished and stay',
  access: 'account',
  params: byId,
  answer: batch,
  errors: OWN_BATCH,
});

/** With `Idempotency-Key`. */
export const repeatRows = defineEndpoint({
  method: 'POST',
  path: '/api/batches/:id/repeat',
  summary: 'Puts failed and stopped rows in line again: these, or all failed ones',
  access: 'verified',
  params: byId,
  body: z.object({ rowIds: z.optional(rowIds), agreedStars }),
  answer: batch,
  errors: SPENDING,
});

/** With `Idempotency-Key`. The earlier results stay in the gallery and are not taken. */
export const redoRow = defineEndpoint({
  method: 'POST',
  path: '/api/batches/:id/rows/:row/redo',
  summary: 'Makes the results of a row again: drifted ones once for nothing, otherwise at the price',
  access: 'verified',
  params: byRow,
  body: z.object({ agreedStars }),
  answer: batchRow,
  errors: [...SPENDING, 'batch_row_not_found', 'batch_row_not_done'],
});

export const reviewRows = defineEndpoint({
  method: 'POST',
  path: '/api/batches/:id/review',
  summary: 'Records which results are taken; null takes a decision back',
  access: 'account',
  params: byId,
  body: z.object({
    decisions: z
      .array(z.object({ rowId: z.uuid(), isTaken: z.nullable(z.boolean()) }))
      .check(z.minLength(1), z.maxLength(BATCH_ALL_ROWS_MAX)),
  }),
  answer: batch,
  errors: [...OWN_BATCH, 'too_many_requests'],
});

export const seeBatch = defineEndpoint({
  method: 'POST',
  path: '/api/batches/:id/seen',
  summary: 'Records that its owner has seen it at rest, so that no notice comes',
  access: 'account',
  params: byId,
  errors: OWN_BATCH,
});

/** «В очередь»: a row of the line behind what runs. A repeat with the same row id changes nothing. */
export const queueRow = defineEndpoint({
  method: 'POST',
  path: '/api/batches/queue',
  summary: 'Puts a photo with its settings in line behind the running generation of the tool, at the agreed price',
  access: 'verified',
  body: z.object({
    rowId: z.uuid(),
    set: batchSet,
    photoId: idText,
    personPhotoId: z.optional(z.nullable(idText)),
    agreedStars,
  }),
  answer: z.object({ batch, row: batchRow }),
  errors: [
    'price_changed',
    'batch_person_missing',
    'consent_required',
    'transfer_consent_required',
    'email_not_verified',
    'deletion_asked',
    'tool_not_offered',
    'batch_full',
    'photo_not_found',
    'photo_forbidden',
    'too_many_requests',
  ],
});
