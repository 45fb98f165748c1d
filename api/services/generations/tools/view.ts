import { selectFields } from '#api/database/select-fields.ts';
import { isUuid } from '#api/platform/uuid.ts';
import type { Viewer } from '#api/services/accounts/sessions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { refuseUnknown, requireOwn } from '#api/services/core/ownership.ts';
import { resultKindOf } from '#api/services/core/result-kind.ts';
import { type GarmentFinding, mayDrift, presentFinding } from '#api/services/generations/results/garment-checks.ts';
import { hasAllPhotos } from '#api/services/generations/results/inputs.ts';
import { describeLosses, presentLoss } from '#api/services/generations/results/lost-results.ts';
import { listPositions } from '#api/services/generations/results/outputs.ts';
import { describeFailure, getProgress } from '#api/services/generations/results/progress.ts';
import { describeReroll } from '#api/services/generations/results/rerolls.ts';
import { presentName } from '#api/services/generations/results/result-names.ts';
import { videoUrl } from '#api/services/generations/results/videos.ts';
import { PRESENTED_FIELDS, presentPhoto } from '#api/services/photos/photos.ts';
import { type Generation, type Photo, Prisma, type Result } from '#prisma/generated/client.ts';
import type { GenerationResult, GenerationView } from '#shared/contract/generations.ts';
import type { ProductMark } from '#shared/contract/product-mark.ts';
import { type GenerationKind, readFailureCode } from '#shared/rules/generation-lifecycle.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import type { ViewOfKind } from './generation-tool.ts';
import { TOOL_TABLE } from './tool-table.ts';

/** The fields of a generation that its view is made from. */
const VIEWED_FIELDS = [
  'id',
  'accountId',
  'kind',
  'status',
  'settings',
  'stars',
  'positions',
  'rerollOfId',
  'batchId',
  'engine',
  'progressShare',
  'expectedSeconds',
  'failureCode',
  'createdAt',
  'finishedAt',
] as const satisfies (keyof Generation)[];

type ViewedGeneration = Pick<Generation, (typeof VIEWED_FIELDS)[number]>;
const VIEWED_COLUMNS = selectFields('generation', VIEWED_FIELDS);
const SHOWN_PHOTO_COLUMNS = selectFields('photo', PRESENTED_FIELDS);

type ViewedFinding = GarmentFinding & { hasCrops: boolean };

type VisibleResult = Pick<
  Result,
  | 'id'
  | 'generationId'
  | 'kind'
  | 'position'
  | 'width'
  | 'height'
  | 'durationSeconds'
  | 'lostAt'
  | 'contentType'
  | 'made'
  | 'title'
  | 'number'
  | 'photoName'
  | 'productId'
> &
  Pick<GenerationResult, 'report'> & {
    product: ProductMark | null;
    /** Whether its price has come back. */
    isRepaid: boolean;
    /** Null for a result that is not compared. */
    finding: Omit<ViewedFinding, 'resultId'> | null;
  };

/** All that a generation's view is made from. */
interface ViewedRows extends ViewedGeneration {
  /** The visible ones, each with its owner's newest complaint. */
  results: VisibleResult[];
  /** With their places among the tool's photos. Deleted ones are left out. */
  photos: (Pick<Photo, (typeof PRESENTED_FIELDS)[number]> & { inputPosition: number; product: ProductMark | null })[];
  /** Null while the generation runs. */
  starsSpent: number | null;
  /** Id of its free re-roll, which only a completed one has. */
  rerollId: string | null;
}

/** The product of a row, as JSON. */
function productOf(table: string): Prisma.Sql {
  return Prisma.raw(`(
    select json_build_object('id', product.id, 'article', product.article)
    from products as product where product.id = ${table}.product_id
  )`);
}

/**
 * A generation of any account with all that its view needs, or null. Pages poll for it, so it is one statement with a
 * name, which each connection plans once.
 */
async function findViewed({ pool }: Pick<AppContext, 'pool'>, id: string): Promise<ViewedRows | null> {
  if (!isUuid(id)) return null;
  const { text, values } = Prisma.sql`
    select ${VIEWED_COLUMNS}, (
      select coalesce(json_agg(visible order by position), '[]') from (
        select id, generation_id as "generationId", kind, position, width, height,
          duration_seconds as "durationSeconds", lost_at as "lostAt", content_type as "contentType", made, title, number,
          photo_name as "photoName", product_id as "productId", ${productOf('results')} as product, (
            select json_build_object('status', status, 'decision', decision, 'answer', answer)
            from result_reports where result_id = results.id order by id desc limit 1
          ) as report, exists (
            select from star_entries
            where generation_id = generation.id and result_position = results.position
          ) as "isRepaid", (
            select json_build_object('verdict', verdict, 'drifts', drifts, 'hasCrops', source_crop is not null)
            from garment_checks where result_id = results.id
          ) as finding
        from results where generation_id = generation.id and deleted_at is null
      ) as visible
    ) as results, (
      select coalesce(json_agg(shown), '[]') from (
        select input.position as "inputPosition", ${SHOWN_PHOTO_COLUMNS}, ${productOf('photo')} as product
        from generation_inputs as input join photos as photo on photo.id = input.photo_id
        where input.generation_id = generation.id
      ) as shown
    ) as photos, case when generation.status in ('completed', 'failed') then (
      select coalesce(-sum(delta), 0)::int from star_entries where generation_id = generation.id
    ) end as "starsSpent", case when generation.status = 'completed' then (
      select reroll.id from generations as reroll
      where reroll.reroll_of_id = generation.id and reroll.status <> 'failed' limit 1
    ) end as "rerollId"
    from generations as generation where generation.id = ${id}::uuid`;
  const { rows } = await pool.query<ViewedRows>({ name: 'find-viewed-generation', text, values });
  const [viewed] = rows;
  // JSON has no dates.
  for (const result of viewed?.results ?? []) result.lostAt &&= new Date(result.lostAt);
  return viewed ?? null;
}

/**
 * A generation of this account in the format that all clients share. A finished video without its file counts as
 * unknown, because its owner has deleted it. Throws generation_not_found, generation_forbidden.
 */
export async function getView(app: AppContext, caller: Viewer, id: string): Promise<GenerationView> {
  const generation = requireOwn('generation', caller.id, await findViewed(app, id));
  const { results, photos, starsSpent, rerollId } = generation;
  const { inputs, outputs } = TOOLS[generation.kind];
  if (outputs.type === 'video' && generation.status === 'completed' && results.length === 0) {
    return refuseUnknown('generation');
  }
  const findings = listFindings(app, generation, results);
  const view = {
    id: generation.id,
    batchId: generation.batchId,
    made: resultKindOf(generation),
    status: generation.status,
    createdAt: generation.createdAt.toISOString(),
    photos: inputs.map((_, place) => {
      const photo = photos.find(({ inputPosition }) => inputPosition === place);
      return photo ? presentPhoto(photo, photo.product) : null;
    }),
    progress: getProgress(app, generation),
    failure: presentFailure(generation),
    results: await presentResults(app, caller, results, findings),
    // While the generation runs the whole price is held.
    starsSpent: starsSpent ?? generation.stars,
    positions: listPositions(generation),
    ...describeReroll(app, generation, {
      results,
      findings,
      repaid: new Set(results.filter(({ isRepaid }) => isRepaid).map(({ position }) => position)),
      rerollId,
      hasPhotos: hasAllPhotos(generation.kind, photos),
    }),
  };
  return { ...view, ...TOOL_TABLE[generation.kind].view(generation.settings) };
}

/** The findings about these results, by result id. */
function listFindings(
  app: AppContext,
  generation: ViewedGeneration,
  results: readonly VisibleResult[],
): Map<string, ViewedFinding> {
  if (!mayDrift(app, generation)) return new Map();
  return new Map(results.flatMap(({ id, finding }) => (finding ? [[id, { resultId: id, ...finding }]] : [])));
}

/**
 * A generation of this account as getView gives it, if it is of this kind. Throws generation_not_found (also for one of
 * another kind), generation_forbidden.
 */
export async function getViewOfKind<Kind extends GenerationKind>(
  app: AppContext,
  caller: Viewer,
  id: string,
  kind: Kind,
): Promise<ViewOfKind<Kind>> {
  const view = await getView(app, caller, id);
  return isOfKind(view, kind) ? view : refuseUnknown('generation');
}

function isOfKind<Kind extends GenerationKind>(view: GenerationView, kind: Kind): view is ViewOfKind<Kind> {
  return view.kind === kind;
}

function presentFailure(generation: ViewedGeneration): GenerationView['failure'] {
  const message = describeFailure(generation);
  return message === null ? null : { code: readFailureCode(generation.failureCode ?? 'engine_error'), message };
}

async function presentResults(
  app: AppContext,
  { premium: { isPremium } }: Viewer,
  results: VisibleResult[],
  findings: ReadonlyMap<string, ViewedFinding>,
): Promise<GenerationResult[]> {
  const losses = await describeLosses(app, results);
  return results.map((result) => ({
    ...presentResult(result, !isPremium),
    ...presentLoss(losses, result),
    garmentCheck: presentFinding(result, findings.get(result.id)),
  }));
}

function presentResult(result: VisibleResult, isWatermarked: boolean): Omit<GenerationResult, 'garmentCheck'> {
  const { id, generationId, position, width, height, durationSeconds, report } = result;
  const name = presentName(result, result.product);
  const address = `/media/results/${generationId}/${position}`;
  return {
    id,
    ...name,
    url: TOOLS[result.kind].outputs.type === 'video' ? videoUrl(generationId) : `${address}/image`,
    previewUrl: `${address}/poster`,
    isWatermarked,
    width,
    height,
    durationSeconds,
    report,
  };
}
