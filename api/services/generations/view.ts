import type { AppContext } from '#api/services/app-context.ts';
import { refuseUnknown, requireOwn } from '#api/services/ground/ownership.ts';
import { getPremiumStatus } from '#api/services/ground/premium-status.ts';
import { resultKindOf } from '#api/services/ground/result-kind.ts';
import { isUuid } from '#api/services/ground/uuid.ts';
import { presentPhoto } from '#api/services/photos/photos.ts';
import { getStarsSpent } from '#api/services/stars/ledger.ts';
import type { Generation, Result } from '#prisma/generated/client.ts';
import type { GenerationResult, GenerationView, ResultLoss } from '#shared/contract/generations.ts';
import { modelChangeSettings } from '#shared/contract/model-change-settings.ts';
import { tryOnSettings } from '#shared/contract/try-on-settings.ts';
import { videoSettings } from '#shared/contract/video-settings.ts';
import { type GenerationKind, isFinal, readFailureCode } from '#shared/rules/generation-lifecycle.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import { findGeneration } from './find-generation.ts';
import { type GarmentFinding, listFindings, mayDrift, presentFinding } from './garment-checks.ts';
import { listInputs } from './inputs.ts';
import { describeLosses } from './lost-results.ts';
import { listPositions } from './outputs.ts';
import { describeFailure, getProgress } from './progress.ts';
import { describeReroll } from './rerolls.ts';

export type ViewOfKind<Kind extends GenerationKind> = Extract<GenerationView, { kind: Kind }>;

/**
 * A generation of this account in the format that all clients share. A finished video without its file counts as
 * unknown, because its owner has deleted it. Throws generation_not_found, generation_forbidden.
 */
export async function getGenerationView(app: AppContext, accountId: number, id: string): Promise<GenerationView> {
  const found = isUuid(id) ? await findGeneration(app.db, id) : null;
  const generation = requireOwn('generation', accountId, found);
  const results = await listVisibleResults(app, generation);
  const { outputs } = TOOLS[generation.kind];
  if (outputs.type === 'video' && generation.status === 'completed' && results.length === 0) {
    return refuseUnknown('generation');
  }
  const ids = results.map((result) => result.id);
  const findings = ids.length > 0 && mayDrift(app, generation) ? await listFindings(app.db, ids) : new Map();
  const view = {
    id: generation.id,
    made: resultKindOf(app, generation),
    status: generation.status,
    createdAt: generation.createdAt.toISOString(),
    photos: (await listInputs(app.db, generation.id)).map(presentPhoto),
    progress: getProgress(app, generation),
    failure: presentFailure(generation),
    results: await presentResults(app, accountId, results, findings),
    // While the generation runs the whole price is held.
    starsSpent: isFinal(generation.status) ? await getStarsSpent(app, generation.id) : generation.stars,
    positions: listPositions(generation),
    ...(await describeReroll(app, generation, results, findings)),
  };
  return { ...view, ...presentChoice(generation) };
}

/** The same for one kind only. Generations of other kinds count as unknown. */
export async function getViewOfKind<Kind extends GenerationKind>(
  app: AppContext,
  accountId: number,
  { kind, id }: { kind: Kind; id: string },
): Promise<ViewOfKind<Kind>> {
  const view = await getGenerationView(app, accountId, id);
  return isOfKind(view, kind) ? view : refuseUnknown('generation');
}

function isOfKind<Kind extends GenerationKind>(view: GenerationView, kind: Kind): view is ViewOfKind<Kind> {
  return view.kind === kind;
}

function presentChoice({ kind, settings }: Generation) {
  switch (kind) {
    case 'video':
      return { kind, settings: videoSettings.partial().parse(settings) };
    case 'model_change':
      return { kind, settings: modelChangeSettings.parse(settings) };
    case 'photosession':
      return { kind, settings: {} };
    case 'try_on':
      return { kind, settings: tryOnSettings.parse(settings) };
  }
}

function presentFailure(generation: Generation): GenerationView['failure'] {
  const message = describeFailure(generation);
  return message === null ? null : { code: readFailureCode(generation.failureCode ?? 'engine_error'), message };
}

type VisibleResult = Pick<
  Result,
  'id' | 'generationId' | 'kind' | 'position' | 'width' | 'height' | 'durationSeconds' | 'lostAt'
> &
  Pick<GenerationResult, 'report'>;

/** With the owner's newest complaint about each. One statement, because pages poll. */
async function listVisibleResults({ db }: Pick<AppContext, 'db'>, generation: Generation): Promise<VisibleResult[]> {
  const { id: generationId, kind, status } = generation;
  // Only with several outputs is each one stored when it is ready.
  if (status !== 'completed' && TOOLS[kind].outputs.count === 1) return [];
  return db.$queryRaw<VisibleResult[]>`
    select id, generation_id as "generationId", kind::text as kind, position, width, height,
      duration_seconds as "durationSeconds", lost_at as "lostAt", (
        select json_build_object('status', status, 'decision', decision, 'answer', answer) from result_reports
        where result_id = results.id order by id desc limit 1
      ) as report
    from results where generation_id = ${generationId}::uuid and deleted_at is null
    order by position`;
}

async function presentResults(
  app: AppContext,
  accountId: number,
  results: VisibleResult[],
  findings: ReadonlyMap<string, GarmentFinding>,
): Promise<GenerationResult[]> {
  if (results.length === 0) return [];
  const { isPremium } = await getPremiumStatus(app, accountId);
  const losses = await describeLosses(app, results);
  return results.map((result) => ({
    ...presentResult(result, !isPremium),
    ...presentLoss(losses, result),
    garmentCheck: presentFinding(result, findings.get(result.id)),
  }));
}

function presentResult(result: VisibleResult, isWatermarked: boolean): Omit<GenerationResult, 'garmentCheck'> {
  const { id, generationId, position, width, height, durationSeconds, report } = result;
  const address = `/media/results/${generationId}/${position}`;
  return {
    id,
    position,
    url: TOOLS[result.kind].outputs.type === 'video' ? videoUrl(generationId) : `${address}/image`,
    previewUrl: `${address}/poster`,
    isWatermarked,
    width,
    height,
    durationSeconds,
    report,
  };
}

/** The part of a result's view that says that its file is lost. Empty while the file is there. */
export function presentLoss(
  losses: ReadonlyMap<string, ResultLoss>,
  { id }: Pick<Result, 'id'>,
): { loss?: ResultLoss } {
  const loss = losses.get(id);
  return loss ? { loss } : {};
}

/** Address of a video. Which file it serves is decided on each request. */
export function videoUrl(generationId: string): string {
  return `/api/video-proxy/${generationId}`;
}
