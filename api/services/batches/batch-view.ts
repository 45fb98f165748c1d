import type { Db, Tx } from '#api/database/database.ts';
import type { Viewer } from '#api/services/accounts/sessions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { type GarmentFinding, mayDrift, presentFinding } from '#api/services/generations/results/garment-checks.ts';
import { describeFailure, getProgress } from '#api/services/generations/results/progress.ts';
import { describeReroll } from '#api/services/generations/results/rerolls.ts';
import { presentName } from '#api/services/generations/results/result-names.ts';
import { videoUrl } from '#api/services/generations/results/videos.ts';
import { selectExpectedSeconds } from '#api/services/generations/starting/expected-seconds.ts';
import { presentPhoto } from '#api/services/photos/photos.ts';
import { listProductMarks } from '#api/services/products/product-marks.ts';
import { getBalance } from '#api/services/stars/ledger.ts';
import { listRepaid, nameOutput } from '#api/services/stars/returned-stars.ts';
import type { Batch as BatchRecord, Generation, Prisma, Result } from '#prisma/generated/client.ts';
import type { Batch, BatchRow } from '#shared/contract/batches.ts';
import { ERRORS, type ErrorCode } from '#shared/contract/errors.ts';
import type { ProductMark } from '#shared/contract/product-mark.ts';
import { countRows, PAUSE_TEXTS, type PauseCode, type RowState, rowStateOf } from '#shared/rules/batches.ts';
import { readFailureCode } from '#shared/rules/generation-lifecycle.ts';
import { TOOLS, type Tool } from '#shared/rules/tools.ts';
import { priceOfSet, readSet } from './row-order.ts';

/** What the counts and prices of a batch are made from. */
const COUNTED_FIELDS = {
  id: true,
  batchId: true,
  stage: true,
  retriesLeft: true,
  settings: true,
  isTaken: true,
  isReroll: true,
  photoId: true,
  generation: { select: { status: true, failureCode: true, rerollOfId: true } },
} as const satisfies Prisma.BatchRowSelect;
export type CountedRow = Prisma.BatchRowGetPayload<{ select: typeof COUNTED_FIELDS }>;

/** The rows of batches in their order, as far as counts and prices need them. */
export function listCountedRows(db: Db | Tx, batchIds: readonly string[]): Promise<CountedRow[]> {
  return db.batchRow.findMany({
    where: { batchId: { in: [...batchIds] } },
    select: COUNTED_FIELDS,
    orderBy: [{ batchId: 'asc' }, { position: 'asc' }],
  });
}

export function stateOf({ generation, ...row }: Pick<CountedRow, 'stage' | 'retriesLeft' | 'generation'>): RowState {
  return rowStateOf({ ...row, attempt: generation });
}

/**
 * Whether the next attempt of a row makes drifted results again for nothing: that is agreed, or such an attempt was the
 * last one and has failed or was stopped.
 */
export function isRerollNext({
  stage,
  isReroll,
  generation,
}: Pick<CountedRow, 'stage' | 'isReroll'> & {
  generation: Pick<Generation, 'status' | 'rerollOfId'> | null;
}): boolean {
  if (stage === 'waiting') return isReroll;
  return stage !== 'failed' && generation?.status === 'failed' && generation.rerollOfId !== null;
}

/** Whether a command can put a row in line: its photo may have been deleted since it was made. */
export function isStartable({ photoId }: Pick<CountedRow, 'photoId'>): boolean {
  return photoId !== null;
}

/** What the next attempt of a row costs, in stars. */
export function priceOfRow(
  batch: Pick<BatchRecord, 'kind' | 'settings'>,
  row: Pick<CountedRow, 'settings'> & Parameters<typeof isRerollNext>[0],
): number {
  return isRerollNext(row) ? 0 : priceOfSet(readSet(batch.kind, row.settings ?? batch.settings));
}

/** A batch as its owner sees it, without rows. */
export async function presentBatch(app: AppContext, viewer: Viewer, batch: BatchRecord): Promise<Batch> {
  const rows = await listCountedRows(app.db, [batch.id]);
  const balance = await getBalance(app, viewer.id);
  return describeBatch(app, viewer, batch, rows, balance);
}

/** A batch as its owner sees it. `rows`: all of its own, in order. `balance`: stars of the account. */
export async function describeBatch(
  app: AppContext,
  viewer: Viewer,
  batch: BatchRecord,
  rows: readonly CountedRow[],
  balance: number,
): Promise<Batch> {
  const states = rows.map((row) => ({ row, state: stateOf(row) }));
  const counts = countRows(states.map(({ state }) => state));
  const sum = (wanted: RowState) => {
    const chosen = states.filter(({ row, state }) => state === wanted && isStartable(row));
    return { rows: chosen.length, stars: chosen.reduce((stars, { row }) => stars + priceOfRow(batch, row), 0) };
  };
  const done = states.filter(({ state }) => state === 'done');
  const left = done.filter(({ row }) => row.isTaken === null).length;
  const taken = done.filter(({ row }) => row.isTaken === true).length;
  const prices = { ready: sum('ready'), waiting: sum('waiting'), failed: sum('failed'), stopped: sum('stopped') };
  const unfinished = counts.ready + counts.waiting + counts.running;
  return {
    id: batch.id,
    name: batch.name,
    status: batch.status,
    isQueue: batch.isQueue,
    createdAt: batch.createdAt.toISOString(),
    startedAt: batch.startedAt?.toISOString() ?? null,
    set: readSet(batch.kind, batch.settings),
    personPhoto: await findPersonPhoto(app.db, batch.personPhotoId),
    pause: presentPause(batch, prices.waiting.stars - balance),
    continuesAfterPurchase: batch.continuesAfterPurchase,
    counts,
    review: { left, taken, notTaken: done.length - left - taken },
    prices,
    affordableRows: countAffordable(
      states.filter(({ state }) => state === 'ready').map(({ row }) => priceOfRow(batch, row)),
      balance,
    ),
    secondsLeft: unfinished === 0 ? 0 : await estimateSeconds(app, viewer, batch, unfinished),
    isUnseen: batch.status === 'open' && batch.seenRun < batch.runs,
  };
}

function presentPause({ pauseCode, resumesAt }: BatchRecord, missing: number): Batch['pause'] {
  if (pauseCode === null) return null;
  const code = pauseCode as PauseCode;
  return {
    code,
    message: PAUSE_TEXTS[code],
    resumesAt: resumesAt?.toISOString() ?? null,
    missingStars: code === 'not_enough_stars' ? Math.max(0, missing) : null,
  };
}

function countAffordable(prices: readonly number[], balance: number): number {
  let left = balance;
  let rows = 0;
  for (const price of prices) {
    if (price > left) break;
    left -= price;
    rows += 1;
  }
  return rows;
}

async function findPersonPhoto(db: Db, id: string | null): Promise<Batch['personPhoto']> {
  const photo = id === null ? null : await db.photo.findUnique({ where: { id }, include: { product: true } });
  return photo && presentPhoto(photo, photo.product);
}

/** How long so many rows take if nobody else waits, in whole seconds. */
async function estimateSeconds(app: AppContext, viewer: Viewer, batch: BatchRecord, rows: number): Promise<number> {
  const { kind } = batch;
  const engine = app.engines.of(kind);
  const tool: Tool = TOOLS[kind];
  const usual = (engine?.photosTravel === 'nowhere' ? tool.usualLocalWait : undefined) ?? tool.usualWait;
  const settings = readSet(kind, batch.settings).settings as Prisma.InputJsonObject;
  const [{ seconds }] = await app.db.$queryRaw<[{ seconds: number | null }]>`
    select ${selectExpectedSeconds({ kind, engine: engine?.name ?? '', settings })} as seconds`;
  const parallelRows = viewer.premium.isPremium ? app.config.parallelItems : 1;
  const atOnce = Math.min(parallelRows, engine?.concurrency ?? 1);
  return Math.ceil(rows / atOnce) * (seconds ?? usual.seconds);
}

const RESULT_PARTS = {
  where: { deletedAt: null },
  orderBy: { position: 'asc' },
  include: { garmentCheck: { select: { resultId: true, verdict: true, drifts: true, sourceCrop: true } } },
} as const satisfies Prisma.Generation$resultsArgs;

const ROW_PARTS = {
  photo: true,
  generation: {
    include: {
      results: RESULT_PARTS,
      rerollOf: { include: { results: RESULT_PARTS } },
      inputs: { select: { position: true } },
      rerolls: { where: { status: { not: 'failed' } }, select: { id: true } },
    },
  },
} as const satisfies Prisma.BatchRowInclude;
type RowParts = Prisma.BatchRowGetPayload<{ include: typeof ROW_PARTS }>;

/** A batch with all its rows as their owner sees them. Both are of one moment, so the counts fit the rows. */
export async function presentBatchWithRows(
  app: AppContext,
  viewer: Viewer,
  batch: BatchRecord,
): Promise<{ batch: Batch; rows: BatchRow[] }> {
  const rows = await listRowParts(app.db, { batchId: batch.id });
  const balance = await getBalance(app, viewer.id);
  return {
    batch: await describeBatch(app, viewer, batch, rows, balance),
    rows: await describeRows(app, viewer, batch, rows),
  };
}

/** These rows of a batch as their owner sees them, in order. */
export async function presentRows(
  app: AppContext,
  viewer: Viewer,
  batch: Pick<BatchRecord, 'id' | 'kind' | 'settings'>,
  rowIds: readonly string[],
): Promise<BatchRow[]> {
  const rows = await listRowParts(app.db, { batchId: batch.id, id: { in: [...rowIds] } });
  return describeRows(app, viewer, batch, rows);
}

function listRowParts(db: Db | Tx, where: Prisma.BatchRowWhereInput): Promise<RowParts[]> {
  return db.batchRow.findMany({ where, include: ROW_PARTS, orderBy: { position: 'asc' } });
}

async function describeRows(
  app: AppContext,
  viewer: Viewer,
  batch: Pick<BatchRecord, 'kind' | 'settings'>,
  rows: readonly RowParts[],
): Promise<BatchRow[]> {
  const results = rows.flatMap(listResults);
  const products = await listProductMarks(app.db, [...results, ...rows.flatMap(({ photo }) => photo ?? [])]);
  const withDrift = results.filter(({ garmentCheck }) => garmentCheck?.verdict === 'drifted');
  const repaid = await listRepaid(app, [...new Set(withDrift.map(({ generationId }) => generationId))]);
  return rows.map((row) => ({
    id: row.id,
    position: row.position,
    name: row.name,
    size: row.size,
    folder: row.folder,
    state: stateOf(row),
    reason: presentReason(row),
    photo: row.photo && presentPhoto(row.photo, products.get(row.photo.productId ?? '') ?? null),
    article: row.photo ? null : row.article,
    note: row.note,
    set: row.settings === null ? null : readSet(batch.kind, row.settings),
    stars: priceOfRow(batch, row),
    attempts: row.attempts,
    generationId: row.generationId,
    progress: row.generation && getProgress(app, row.generation),
    results: presentResults(app, viewer, row, products),
    reroll: describeRowReroll(app, row, new Set(repaid.keys())),
    isTaken: row.isTaken,
  }));
}

/**
 * The results of the last attempt, in order. A re-roll makes only the drifted frames of a photo session again: those that
 * it has not made are the earlier ones.
 */
function listResults({ generation }: Pick<RowParts, 'generation'>): NonNullable<RowParts['generation']>['results'] {
  if (!generation) return [];
  const { rerollOf, positions, missedPositions, results, status } = generation;
  if (!rerollOf || status !== 'completed') return results;
  const isMade = (position: number) => positions.includes(position) && !missedPositions.includes(position);
  const earlier = rerollOf.results.filter(({ position }) => !isMade(position));
  return [...earlier, ...results].sort((a, b) => a.position - b.position);
}

/** The results that the owner of a batch has taken, in the order of rows and frames. */
export async function listTakenResults(db: Db | Tx, batchId: string): Promise<Result[]> {
  const rows = await listRowParts(db, { batchId, isTaken: true, generation: { status: 'completed' } });
  return rows.flatMap(listResults);
}

/** What has become of a row, for a table. */
export interface RowReport {
  row: Pick<RowParts, 'id' | 'name' | 'folder' | 'note' | 'settings' | 'isTaken'>;
  state: RowState;
  /** Why it was refused or has failed. */
  reason: string | null;
  article: string | null;
  /** Of the last attempt, in order. */
  resultIds: string[];
}

/** What has become of each row of a batch, in order. */
export async function listRowReports(db: Db | Tx, batchId: string): Promise<RowReport[]> {
  const rows = await listRowParts(db, { batchId });
  const products = await listProductMarks(
    db,
    rows.flatMap(({ photo }) => photo ?? []),
  );
  return rows.map((row) => ({
    row,
    state: stateOf(row),
    reason: presentReason(row)?.message ?? null,
    article: products.get(row.photo?.productId ?? '')?.article ?? row.article,
    resultIds: listResults(row).map(({ id }) => id),
  }));
}

function presentReason(row: RowParts): BatchRow['reason'] {
  const state = stateOf(row);
  if (state === 'failed' && row.stage === 'started' && row.generation) {
    const message = describeFailure(row.generation);
    return message === null ? null : { code: readFailureCode(row.generation.failureCode ?? 'engine_error'), message };
  }
  if (row.refusalCode === null || (state !== 'failed' && state !== 'refused')) return null;
  const code = row.refusalCode as ErrorCode;
  return { code, message: ERRORS[code].message };
}

function presentResults(
  app: AppContext,
  { premium: { isPremium } }: Viewer,
  row: RowParts,
  products: ReadonlyMap<string, ProductMark>,
): BatchRow['results'] {
  const { generation } = row;
  if (!generation) return [];
  return listResults(row).map(({ garmentCheck, ...result }) => {
    const { id, generationId, position, width, height, durationSeconds } = result;
    const address = `/media/results/${generationId}/${position}`;
    const finding = garmentCheck && { ...garmentCheck, hasCrops: garmentCheck.sourceCrop !== null };
    return {
      id,
      generationId,
      ...presentName(result, products.get(result.productId ?? '') ?? null),
      url: TOOLS[result.kind].outputs.type === 'video' ? videoUrl(generationId) : `${address}/image`,
      previewUrl: `${address}/poster`,
      thumbnailUrl: `${address}/thumbnail`,
      isWatermarked: !isPremium,
      width,
      height,
      durationSeconds,
      garmentCheck: finding && mayDrift(app, generation) ? presentFinding(result, finding) : null,
    };
  });
}

function describeRowReroll(app: AppContext, { generation }: RowParts, repaid: ReadonlySet<string>): BatchRow['reroll'] {
  if (!generation) return 'not_offered';
  const findings = new Map<string, GarmentFinding>(
    generation.results.flatMap(({ garmentCheck }) => (garmentCheck ? [[garmentCheck.resultId, garmentCheck]] : [])),
  );
  return describeReroll(app, generation, {
    results: generation.results,
    findings,
    repaid: new Set(
      generation.results.filter((result) => repaid.has(nameOutput(result))).map(({ position }) => position),
    ),
    rerollId: generation.rerolls[0]?.id ?? null,
    hasPhotos: generation.inputs.length === TOOLS[generation.kind].inputs.length,
  }).reroll;
}
