import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { createStore, useStore } from '#pwa/device/store.ts';
import { noteBatch, useBatch } from '#pwa/features/batches/batch-queries.ts';
import { toolSettingsQuery } from '#pwa/features/generations/tool-settings.ts';
import { readFolder } from '#pwa/features/uploads/photo-folder.ts';
import { type BatchRow, type BatchSet, changeRow } from '#shared/contract/batches.ts';
import { createFileFinder, type TableLine } from '#shared/rules/batch-table.ts';
import { type BatchIntake, useBatchIntake } from './use-batch-intake.ts';

/** Lines of a table that wait for their files. A reload forgets them: the table is still on the disk. */
const waitingLines = createStore<{ batchId: string; lines: readonly TableLine[] } | null>(null);

export interface TakeIn {
  intake: BatchIntake;
  /** Adds what was chosen or dropped: photos, archives, tables. Resolves with the photos that the device keeps now. */
  takeIn: (files: readonly File[]) => Promise<readonly File[]>;
  /** How many lines of a table wait for their files. */
  linesWaiting: number;
  /** Makes refused rows of the waiting lines. */
  addLinesWithoutFiles: () => Promise<void>;
  forgetLines: () => void;
}

/** Of the batch that the page shows, so that its list of uploads is read once. */
export const TakeInContext = createContext<TakeIn | null>(null);

/** What comes into the batch around. Throws outside of an IntakeDropZone. */
export function useTakeInOfPage(): TakeIn {
  const takeIn = useContext(TakeInContext);
  if (!takeIn) throw new Error('there is no batch around');
  return takeIn;
}

/** What comes into a batch from the disk, with the tables that describe it. */
export function useTakeIn(batchId: string): TakeIn {
  const intake = useBatchIntake(batchId);
  const queryClient = useQueryClient();
  const opened = useBatch(batchId).data;
  const sets = useQuery(toolSettingsQuery).data?.sets ?? [];
  const waiting = useStore(waitingLines);
  const linesBefore = waiting?.batchId === batchId ? waiting.lines : [];

  const loadTables = () => import('./apply-table.ts');
  const findSetIn = (findNamedSet: Awaited<ReturnType<typeof loadTables>>['findNamedSet']) => (name: string) =>
    opened ? findNamedSet(sets, opened.batch.set.kind, name) : null;

  const addOpened = async (files: readonly File[]) => {
    const { openFiles } = await import('./open-files.ts');
    const chosen = files.map((file) => ({ file, folder: readFolder(file) }));
    const { files: found, lines: newLines } = await openFiles(chosen);
    const lines = [...linesBefore, ...newLines];
    if (lines.length === 0) return intake.addIntake(found);
    const { applyTable, findNamedSet, refuseLine } = await loadTables();
    const findSet = findSetIn(findNamedSet);
    const { files: named, unmatched } = applyTable(lines, found, findSet);
    const left = await describeRows(unmatched, opened?.rows ?? [], findSet);
    // A table that came alone waits for its files.
    const isAlone = found.length === 0;
    waitingLines.set(isAlone && left.length > 0 ? { batchId, lines: left } : null);
    return intake.addIntake([...named, ...(isAlone ? [] : left.map((line) => refuseLine(line, 'csv_file_missing')))]);
  };
  const takeIn = async (files: readonly File[]) => (await addOpened(files)).flatMap(({ chosen }) => chosen ?? []);

  /** Gives rows that are there what the table says of them. Returns the lines that fit none. */
  async function describeRows(
    lines: readonly TableLine[],
    rows: readonly BatchRow[],
    findSet: (name: string) => BatchSet | null,
  ): Promise<TableLine[]> {
    const find = createFileFinder(rows.filter(({ state }) => CHANGEABLE.has(state)).map(asNamed));
    const left: TableLine[] = [];
    for (const line of lines) {
      const row = find(line.file)?.row;
      const set = line.set === null ? null : findSet(line.set);
      // A set that does not exist is no reason to forget the article, but it must not be made with another one either.
      if (!row || (line.set !== null && set === null)) {
        left.push(line);
        continue;
      }
      const { article, note } = line;
      const body = { ...(article && { article }), ...(note && { note }), ...(set && { set }) };
      try {
        const changed = await callApi(changeRow, { params: { id: batchId, row: row.id }, body });
        await noteBatch(queryClient, batchId, { rows: [changed] });
      } catch (error) {
        toastFailure('Таблица прочитана не полностью', error, `Строка ${line.number} не записана`);
        return left;
      }
    }
    return left;
  }

  return {
    intake,
    takeIn,
    linesWaiting: linesBefore.length,
    async addLinesWithoutFiles() {
      const { findNamedSet, refuseLine } = await loadTables();
      const findSet = findSetIn(findNamedSet);
      waitingLines.set(null);
      await intake.addIntake(
        linesBefore.map((line) =>
          refuseLine(line, line.set !== null && findSet(line.set) === null ? 'csv_set_unknown' : 'csv_file_missing'),
        ),
      );
    },
    forgetLines: () => waitingLines.set(null),
  };
}

const CHANGEABLE: ReadonlySet<string> = new Set<BatchRow['state']>(['uploading', 'duplicate', 'ready']);

function asNamed(row: BatchRow) {
  return { row, name: row.name, folder: row.folder };
}
