import type { Db, Tx } from '#api/database/database.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { drawsGarmentsAnew } from '#api/services/core/tool-abilities.ts';
import { telegramNotices } from '#api/services/notices/telegram.ts';
import type { GarmentCheck, Generation, Result } from '#prisma/generated/client.ts';
import type { GarmentCheckView, GarmentCropSide } from '#shared/contract/garment-checks.ts';
import { TOOLS } from '#shared/rules/tools.ts';

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

/** Orders the comparison of new results in the transaction that books them. Does nothing where no garment can drift. */
export async function orderChecks(
  app: Pick<AppContext, 'engines' | 'garmentChecker' | 'queue'>,
  tx: Tx,
  generation: Pick<Generation, 'engine' | 'kind'>,
  resultIds: readonly string[],
): Promise<void> {
  if (!app.garmentChecker || resultIds.length === 0 || !mayDrift(app, generation)) return;
  await tx.garmentCheck.createMany({ data: resultIds.map((resultId) => ({ resultId })) });
  for (const resultId of resultIds) await app.queue.send(tx, 'check-garment', { resultId });
}

/**
 * Tells the owner's chat that garments have drifted, as soon as the generation is completed and all its results are
 * compared. Call it in the transaction that has changed either; both lock the generation, so one of them sees the
 * other.
 */
export async function announceDrift(
  app: Pick<AppContext, 'engines' | 'garmentChecker' | 'queue' | 'telegram'>,
  tx: Tx,
  generation: Pick<Generation, 'id' | 'accountId' | 'engine' | 'kind'>,
): Promise<void> {
  if (!app.garmentChecker || !app.telegram || !mayDrift(app, generation)) return;
  const { id: generationId, accountId } = generation;
  const checks = await tx.garmentCheck.findMany({
    where: { result: { generationId, deletedAt: null } },
    select: { verdict: true },
  });
  const has = (verdict: GarmentCheck['verdict']) => checks.some((check) => check.verdict === verdict);
  if (has('pending') || !has('drifted')) return;
  for (const chatId of await telegramNotices.listTargets(app, tx, { accountId, generationId, batchId: null })) {
    await app.queue.send(tx, 'tell-telegram-drift', { generationId, chatId });
  }
}

/** The findings about these results, by result id. */
export async function listFindings(db: Db | Tx, resultIds: readonly string[]): Promise<Map<string, GarmentFinding>> {
  const findings = await db.garmentCheck.findMany({
    where: { resultId: { in: [...resultIds] } },
    select: { resultId: true, verdict: true, drifts: true },
  });
  return new Map(findings.map((finding) => [finding.resultId, finding]));
}

/** A finding as its owner sees it. Null for a result that is not compared. `hasCrops`: not once the photo is deleted. */
export function presentFinding(
  { id, generationId, kind }: Pick<Result, 'id' | 'generationId' | 'kind'>,
  finding: (GarmentFinding & { hasCrops: boolean }) | undefined,
): GarmentCheckView | null {
  if (!finding) return null;
  const { verdict, drifts, hasCrops } = finding;
  // A picture is named by its own id, a video by that of its generation.
  const item = TOOLS[kind].outputs.type === 'video' ? generationId : id;
  const urlOf = (side: GarmentCropSide) => `/api/results/${item}/garment-crops/${side}`;
  const crops = verdict === 'drifted' && hasCrops ? { sourceUrl: urlOf('source'), resultUrl: urlOf('result') } : null;
  return { verdict, drifts, crops };
}
