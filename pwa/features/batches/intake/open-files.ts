import { toast } from '#pwa/components/toast.ts';
import { readTable, type TableLine } from '#shared/rules/batch-table.ts';
import { type IntakeFile, intakeOf } from './add-files.ts';
import { decodeTable } from './decode-table.ts';
import { INTAKE_TEXTS } from './intake-texts.ts';

/** A longer one is no table of a batch. */
const TABLE_MAX_BYTES = 5 * 1024 * 1024;

export interface ChosenFile {
  file: File;
  folder: string | null;
}

export interface OpenedFiles {
  files: IntakeFile[];
  /** Of all tables among them. */
  lines: TableLine[];
}

/** Unpacks the archives and reads the tables among chosen files. What cannot be opened is announced. */
export async function openFiles(chosen: readonly ChosenFile[]): Promise<OpenedFiles> {
  const opened: OpenedFiles = { files: [], lines: [] };
  for (const { file, folder } of chosen) {
    if (isTable(file)) opened.lines.push(...(await openTable(file)));
    else if (isZip(file)) opened.files.push(...(await openArchive(file)));
    else opened.files.push(intakeOf(file, folder));
  }
  return opened;
}

function isTable({ name, size }: File): boolean {
  return /\.(csv|tsv)$/i.test(name) && size <= TABLE_MAX_BYTES;
}

function isZip({ name, type }: File): boolean {
  return /\.zip$/i.test(name) || /^application\/(x-)?zip(-compressed)?$/.test(type);
}

async function openTable(file: File): Promise<TableLine[]> {
  const lines = readTable(decodeTable(new Uint8Array(await file.arrayBuffer())));
  if (lines.length === 0) complain(file, INTAKE_TEXTS.tableEmpty);
  return lines;
}

async function openArchive(file: File): Promise<IntakeFile[]> {
  const { openZip, ZIP_MAX_BYTES } = await import('./open-zip.ts');
  if (file.size > ZIP_MAX_BYTES) {
    complain(file, INTAKE_TEXTS.zipTooLarge);
    return [];
  }
  try {
    const files = await openZip(file);
    if (files.length === 0) complain(file, INTAKE_TEXTS.zipEmpty);
    return files;
  } catch (error) {
    console.warn('an archive cannot be opened:', error);
    complain(file, INTAKE_TEXTS.zipBroken);
    return [];
  }
}

function complain({ name }: File, description: string): void {
  toast({ title: name, description, tone: 'danger' });
}
