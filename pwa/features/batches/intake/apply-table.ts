import { type BatchSet, batchSet } from '#shared/contract/batches.ts';
import type { SettingSet } from '#shared/contract/tool-settings.ts';
import { createFileFinder, type TableLine } from '#shared/rules/batch-table.ts';
import type { IntakeFile } from './add-files.ts';

/** A named set of the batch's tool; null when there is none of this name. */
export function findNamedSet(sets: readonly SettingSet[], kind: BatchSet['kind'], name: string): BatchSet | null {
  const fold = (text: string) => text.normalize('NFC').toLowerCase();
  const set = sets.find((one) => one.kind === kind && fold(one.name) === fold(name));
  return set ? (batchSet.safeParse({ kind, settings: set.settings }).data ?? null) : null;
}

/** What files become with the lines of a table. */
export interface Matched {
  /** In the order of the lines, then the files that no line names. */
  files: IntakeFile[];
  /** Lines that name none of the files. */
  unmatched: TableLine[];
}

/**
 * Gives files the article, the set and the note of their lines. A line with an unknown set is refused, and so is one that
 * cannot be read; a file that only such a line names is not added beside it.
 */
export function applyTable(
  lines: readonly TableLine[],
  files: readonly IntakeFile[],
  findSet: (name: string) => BatchSet | null,
): Matched {
  const find = createFileFinder(files);
  const named = new Set<IntakeFile>();
  const unmatched: TableLine[] = [];
  const rows = lines.flatMap((line): IntakeFile[] => {
    if (line.isInvalid) return [refuseLine(line, 'csv_line_invalid')];
    const file = find(line.file);
    if (!file) {
      unmatched.push(line);
      return [];
    }
    named.add(file);
    const { article, note } = line;
    const set = line.set === null ? null : findSet(line.set);
    if (line.set !== null && set === null) return [{ ...file, article, note, read: null, refusal: 'csv_set_unknown' }];
    return [{ ...file, article, note, set }];
  });
  return { files: [...rows, ...files.filter((file) => !named.has(file))], unmatched };
}

/** A line that becomes a refused row. */
export function refuseLine(
  { file, number, article, note }: TableLine,
  refusal: 'csv_line_invalid' | 'csv_file_missing' | 'csv_set_unknown',
): IntakeFile {
  const isInvalid = refusal === 'csv_line_invalid';
  const told = isInvalid ? {} : { article, note };
  return { name: file || `Строка ${number}`, folder: null, size: 0, read: null, refusal, ...told };
}
