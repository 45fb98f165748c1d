import type { Db, Tx } from '#api/db.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { refuseUnknown } from '#api/services/ground/ownership.ts';
import { drawsGarmentsAnew } from '#api/services/ground/tool-abilities.ts';
import type { GarmentCheck, Generation, Result } from '#prisma/generated/client.ts';
import type { GarmentCheckView, GarmentCropSide } from '#shared/contract/garment-checks.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import { getOwnItem } from './results.ts';

/** What was found about a result, without the pictures. */
export type GarmentFinding = Pick<GarmentCheck, 'resultId' | 'verdict' | 'drifts'>;

/**
 * Whether the garment of this generation's results may differ from the photo. True for an engine that has no settings
 * any more.
 */
export function mayDrift(
  { engines }: Pick<AppContext, 'engines'>,
  { engine: name, kind }: Pick<Generation, 'engine' | 'kind'>,
): boolean {
  const engine = engines.find(name);
  return engine === null || drawsGarmentsAnew(engine, kind);
}

/** The findings about these results, by result id. */
export async function listFindings(db: Db | Tx, resultIds: readonly string[]): Promise<Map<string, GarmentFinding>> {
  const findings = await db.garmentCheck.findMany({
    where: { resultId: { in: [...resultIds] } },
    select: { resultId: true, verdict: true, drifts: true },
  });
  return new Map(findings.map((finding) => [finding.resultId, finding]));
}

/** Which of these results show a garment that has drifted. */
export async function findDrifted(db: Db | Tx, resultIds: readonly string[]): Promise<Set<string>> {
  const drifted = await db.garmentCheck.findMany({
    where: { resultId: { in: [...resultIds] }, verdict: 'drifted' },
    select: { resultId: true },
  });
  return new Set(drifted.map(({ resultId }) => resultId));
}

/** A finding as its owner sees it. Null for a result that is not compared. */
export function presentFinding(
  { id, generationId, kind }: Pick<Result, 'id' | 'generationId' | 'kind'>,
  finding: GarmentFinding | undefined,
): GarmentCheckView | null {
  if (!finding) return null;
  const { verdict, drifts } = finding;
  // A picture is named by its own id, a video by that of its generation.
  const item = TOOLS[kind].outputs.type === 'video' ? generationId : id;
  const urlOf = (side: GarmentCropSide) => `/api/results/${item}/garment-crops/${side}`;
  const crops = verdict === 'drifted' ? { sourceUrl: urlOf('source'), resultUrl: urlOf('result') } : null;
  return { verdict, drifts, crops };
}

/** The part of the garment that has drifted, as WebP. Throws image_not_found, image_forbidden. */
export async function getGarmentCrop(
  app: AppContext,
  accountId: number,
  { id, side }: { id: string; side: GarmentCropSide },
): Promise<Uint8Array> {
  const result = await getOwnItem(app.db, accountId, id);
  const crops = await app.db.garmentCheck.findUnique({
    where: { resultId: result.id },
    select: { sourceCrop: side === 'source', resultCrop: side === 'result' },
  });
  return crops?.sourceCrop ?? crops?.resultCrop ?? refuseUnknown('image');
}
