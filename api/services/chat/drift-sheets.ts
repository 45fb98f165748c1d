import type { AppContext } from '#api/services/app-context.ts';
import { readGarmentCrop } from '#api/services/generations/garment/garment-crops.ts';
import { findReroll, type Generation, getOwnGeneration } from '#api/services/generations/results/find-generation.ts';
import { listFindings } from '#api/services/generations/results/garment-checks.ts';
import { hasAllPhotos, listInputs } from '#api/services/generations/results/inputs.ts';
import { choosePositions } from '#api/services/generations/results/rerolls.ts';
import { listRepaidPositions } from '#api/services/stars/returned-stars.ts';
import { GARMENT_CROP_SIDES, GARMENT_DRIFTS, type GarmentDrift } from '#shared/contract/garment-checks.ts';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { sheetWork } from './sheets.ts';

export interface Drift {
  drifts: GarmentDrift[];
  positions: number[];
  isRerollOffered: boolean;
  /** A row for each result: the part of the photo on the left, that of the result on the right. JPEG. */
  sheet: Buffer;
}

/** Null when nothing has drifted, or its owner has deleted it. */
export async function describeDrift(app: AppContext, { id, accountId }: Generation): Promise<Drift | null> {
  const generation = await getOwnGeneration(app.db, { accountId, kinds: GENERATION_KINDS, id });
  const { results } = generation;
  const findings = await listFindings(
    app.db,
    results.map((result) => result.id),
  );
  const drifted = results.filter((result) => findings.get(result.id)?.verdict === 'drifted');
  const rows: Buffer[][] = [];
  for (const result of drifted) {
    const crops: Buffer[] = [];
    for (const side of GARMENT_CROP_SIDES) {
      const crop = await readGarmentCrop(app, result, side);
      if (crop) crops.push(crop);
    }
    rows.push(crops);
  }
  if (!rows.some((crops) => crops.length > 0)) return null;
  const repaid = await listRepaidPositions(app, id);
  const canRepeat = hasAllPhotos(generation.kind, await listInputs(app.db, id)) && !(await findReroll(app.db, id));
  return {
    drifts: GARMENT_DRIFTS.filter((drift) => drifted.some((result) => findings.get(result.id)?.drifts.includes(drift))),
    positions: drifted.map(({ position }) => position),
    isRerollOffered: canRepeat && choosePositions(app, generation, results, findings, repaid).length > 0,
    sheet: await sheetWork('drawDriftSheet', rows),
  };
}
