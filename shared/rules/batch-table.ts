import { ARTICLE_MAX_LENGTH } from './articles.ts';
import { ROW_NOTE_MAX_LENGTH } from './batches.ts';

/** The columns of a table of a batch, in their order where it has no heading. */
export const TABLE_COLUMNS = ['артикул', 'файл', 'набор', 'примечание'] as const;

const SEPARATORS = [';', '\t', ','] as const;
/** Excel writes it above the heading, and reads it. */
const SEPARATOR_LINE = /^sep=(.)$/i;
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** Line breaks within a note stay. */
const UNPRINTABLE_IN_NOTE = /[^\P{Cc}\n\t]/u;

/** A line of a table: which file is of which article, and what it is made with. */
export interface TableLine {
  /** As it counts in the file, from 1. */
  number: number;
  article: string | null;
  /** As it is written, perhaps with a folder or without an extension. Empty when there is none. */
  file: string;
  /** The name of a set. */
  set: string | null;
  note: string | null;
  /** Whether it cannot be used as it is. */
  isInvalid: boolean;
}

/**
 * Reads the cells of a CSV as Excel writes it: quoted cells have any character in them, and quotation marks doubled. The
 * separator is the most frequent one of the first line. Empty lines are left out. A quotation mark that is never closed
 * ends its cell with its line, so that one slip costs one line.
 */
export function parseCsv(text: string): { number: number; cells: string[] }[] {
  const content = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const [first = ''] = content.split('\n', 1);
  const told = SEPARATOR_LINE.exec(first);
  const separator = told?.[1] ?? findSeparator(first);
  const lines: { number: number; cells: string[] }[] = [];
  let at = told ? first.length + 1 : 0;
  let number = told ? 2 : 1;
  while (at < content.length) {
    const line = readLine(content, at, separator);
    if (line.cells.some((cell) => cell.trim() !== '')) lines.push({ number, cells: line.cells });
    number += content.slice(at, line.end).split('\n').length;
    at = line.end + 1;
  }
  return lines;
}

/** The cells of the line that begins here, and where its line break or the end is. */
function readLine(text: string, start: number, separator: string): { cells: string[]; end: number } {
  const cells: string[] = [];
  let at = start;
  for (;;) {
    const cell = readCell(text, at, separator);
    cells.push(cell.value);
    if (text[cell.end] !== separator) return { cells, end: cell.end };
    at = cell.end + 1;
  }
}

function readCell(text: string, start: number, separator: string): { value: string; end: number } {
  const quoted = text[start] === '"' ? readQuoted(text, start + 1) : null;
  let end = quoted?.end ?? start;
  while (end < text.length && text[end] !== separator && text[end] !== '\n') end += 1;
  // What stands after the closing mark belongs to the cell, as Excel reads it.
  return quoted ? { value: quoted.value + text.slice(quoted.end, end), end } : { value: text.slice(start, end), end };
}

/** Null when the mark is not closed. */
function readQuoted(text: string, start: number): { value: string; end: number } | null {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return { value: text.slice(start, at).replaceAll('""', '"'), end: at + 1 };
  }
  return null;
}

function findSeparator(line: string): string {
  // What stands between quotation marks is content.
  const bare = line
    .split('"')
    .filter((_, index) => index % 2 === 0)
    .join('');
  const count = (separator: string) => bare.split(separator).length;
  return SEPARATORS.reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}

/** The lines of a table, with or without a heading. */
export function readTable(text: string): TableLine[] {
  const lines = parseCsv(text);
  const heading = lines[0]?.cells.map((cell) => cell.normalize('NFC').trim().toLowerCase()) ?? [];
  const hasHeading = heading.includes('файл') || heading.includes('артикул');
  const places = TABLE_COLUMNS.map((column, index) => (hasHeading ? heading.indexOf(column) : index));
  return lines.slice(hasHeading ? 1 : 0).map(({ number, cells }) => {
    const [article = '', file = '', set = '', note = ''] = places.map((place) =>
      (cells[place] ?? '').normalize('NFC').trim(),
    );
    const isInvalid =
      file === '' ||
      article.length > ARTICLE_MAX_LENGTH ||
      note.length > ROW_NOTE_MAX_LENGTH ||
      [article, file, set].some((cell) => UNPRINTABLE.test(cell)) ||
      UNPRINTABLE_IN_NOTE.test(note);
    return { number, article: article || null, file, set: set || null, note: note || null, isInvalid };
  });
}

/** A file that lines may name. */
interface NamedFile {
  name: string;
  folder: string | null;
}

/**
 * Finds the file that a line names, whatever the case, with or without folder or extension. A file of another folder than
 * the line's is never meant. A file that no line has taken yet goes first.
 */
export function createFileFinder<File extends NamedFile>(files: readonly File[]): (named: string) => File | null {
  const byKey = new Map<string, File[]>();
  for (const file of files) {
    const names = [file.name, withoutExtension(file.name)];
    const paths = file.folder === null ? [] : names.map((name) => `${file.folder}/${name}`);
    for (const key of new Set([...names, ...paths].map(keyOf))) byKey.set(key, [...(byKey.get(key) ?? []), file]);
  }
  const taken = new Set<File>();
  return (named) => {
    const key = keyOf(named);
    // A longer path than is known, such as `C:\Фото\ART-1\1.jpg`.
    const steps = key.split('/');
    const found =
      byKey.get(key) ??
      byKey.get(steps.slice(-2).join('/')) ??
      (steps.length > 1 ? byKey.get(steps.at(-1) ?? '')?.filter(({ folder }) => folder === null) : null);
    const file = found?.find((one) => !taken.has(one)) ?? found?.[0] ?? null;
    if (file) taken.add(file);
    return file;
  };
}

function keyOf(name: string): string {
  return name
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .replaceAll('\\', '/')
    .replace(/^\.?\//, '');
}

function withoutExtension(name: string): string {
  return name.replace(/\.[^.]{1,5}$/, '') || name;
}

/** A table to fill in, as Excel opens it. */
export const TABLE_TEMPLATE = `\ufeff${TABLE_COLUMNS.join(';')}\r\nПЛ-204;ПЛ-204_1.jpg;;\r\nПЛ-205;ПЛ-205.jpg;Название набора;Красное платье\r\n`;
