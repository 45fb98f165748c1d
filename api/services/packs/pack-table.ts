import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#api/database/database.ts';
import { listRowReports } from '#api/services/batches/batch-view.ts';
import { writeCsv } from '#api/services/core/csv.ts';
import { listStarsSpent } from '#api/services/stars/returned-stars.ts';
import type { Batch, BatchRow } from '#prisma/generated/client.ts';
import { TABLE_COLUMNS } from '#shared/rules/batch-table.ts';
import { ROW_STATE_TEXTS } from '#shared/rules/batches.ts';
import type { PackReport } from './readme.ts';

const COLUMNS = [...TABLE_COLUMNS, 'состояние', 'причина', 'файлы', 'звёзды'];
const NOT_TAKEN = 'Не взято';

/**
 * `results.csv`: the table that came in with what has become of each line. For a batch all its rows, otherwise the
 * generations of the results. Files are told by their paths in the ZIP, stars as they were spent in all attempts.
 */
export async function writePackTable(db: Db, report: PackReport): Promise<string> {
  const { batchId } = report.pack;
  const batch = batchId === null ? null : await db.batch.findUnique({ where: { id: batchId } });
  const lines = batch ? await listRowLines(db, report, batch) : await listGenerationLines(db, report);
  return writeCsv([COLUMNS, ...lines]);
}

async function listRowLines(db: Db, { files }: PackReport, batch: Batch): Promise<(string | number)[][]> {
  const rows = await listRowReports(db, batch.id);
  const attempts = await db.generation.findMany({
    where: { batchId: batch.id },
    select: { id: true, batchRowId: true },
  });
  const spent = await listStarsSpent(
    { db },
    attempts.map(({ id }) => id),
  );
  const starsOf = (rowId: string) =>
    attempts.reduce((sum, { id, batchRowId }) => sum + (batchRowId === rowId ? (spent.get(id) ?? 0) : 0), 0);
  const nameSet = await createSetNamer(db, batch);
  const pathOf = new Map(files.map(({ item, path }) => [item.result.id, path]));
  return rows.map(({ row, state, reason, article, resultIds }) => {
    const isLeftOut = state === 'done' && row.isTaken !== true;
    return [
      article ?? '',
      row.folder === null ? row.name : `${row.folder}/${row.name}`,
      nameSet(row),
      row.note ?? '',
      isLeftOut ? NOT_TAKEN : ROW_STATE_TEXTS[state],
      reason ?? '',
      resultIds.flatMap((id) => pathOf.get(id) ?? []).join(', '),
      starsOf(row.id),
    ];
  });
}

/** The name of the account's set with the settings of a row. Empty when there is none. */
async function createSetNamer(
  db: Db,
  { accountId, kind, settings }: Batch,
): Promise<(row: Pick<BatchRow, 'settings'>) => string> {
  const sets = await db.settingSet.findMany({ where: { accountId, kind } });
  return (row) => sets.find((set) => isDeepStrictEqual(set.settings, row.settings ?? settings))?.name ?? '';
}

async function listGenerationLines(db: Db, { files }: PackReport): Promise<(string | number)[][]> {
  const groups = Map.groupBy(files, ({ item }) => item.result.generationId);
  const spent = await listStarsSpent({ db }, [...groups.keys()]);
  return [...groups].map(([generationId, [first, ...others]]) => [
    first?.item.named.article ?? '',
    first?.item.named.photoName ?? '',
    '',
    '',
    ROW_STATE_TEXTS.done,
    '',
    [first, ...others].flatMap((file) => file?.path ?? []).join(', '),
    spent.get(generationId) ?? 0,
  ]);
}
