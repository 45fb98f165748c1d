import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { parseJson } from '#api/platform/parse-json.ts';

/** Written last, so a folder without it is an unfinished backup. */
const MANIFEST = 'manifest.json';
/** The manifest's `format`. Raise it when an older program could not read what is written. */
const FORMAT = 1;

const count = z.int().min(0);
/** What a file of the backup holds. */
const content = z.object({ bytes: count, sha256: z.string() });
export type Content = z.infer<typeof content>;
/** `lines`: its number of lines. */
const digest = content.extend({ lines: count });
export type Digest = z.infer<typeof digest>;

const manifest = z.object({
  format: z.literal(FORMAT, `a backup of format ${FORMAT}; another version of Podium has made this one`),
  madeAt: z.iso.datetime(),
  /** The migrations of the database, with the checksums of their scripts. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: digest })),
  /** Last given values. Null: none was given. They are strings, because they may exceed what JavaScript counts to. */
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string().nullable() })),
  /** Background jobs that had not ended. */
  jobs: digest,
  /** The list of files: each with its size and checksum, or marked as missing. */
  files: digest.extend({ stored: count, missing: count }),
  /** The files with secrets in DATA_DIR, by name. Secrets of the environment are not in the backup. */
  secrets: z.record(
    z.string().refine((name) => name === path.basename(name)),
    content,
  ),
  /** Tells whether a server has the same SESSION_SECRET. Null: it was not known to the command. */
  sessionSecretFingerprint: z.string().nullable(),
});
export type Manifest = z.infer<typeof manifest>;

/** One line of the list of files. Without size and checksum the file was missing. */
export const listedFile = z.object({ key: z.string(), bytes: count.optional(), sha256: z.string().optional() });
export type ListedFile = z.infer<typeof listedFile>;

export function placesIn(folder: string) {
  return {
    manifest: path.join(folder, MANIFEST),
    rows: (table: string) => path.join(folder, 'rows', `${table}.jsonl`),
    jobs: path.join(folder, 'jobs.jsonl'),
    fileList: path.join(folder, 'files.jsonl'),
    file: (key: string) => path.join(folder, 'files', key),
    secrets: path.join(folder, 'secrets'),
  };
}

/** Makes the folder of a new backup. Throws an Error for the operator when something is in it. */
export async function makeBackupFolder(folder: string): Promise<void> {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    const what = existsSync(placesIn(folder).manifest)
      ? 'holds a backup'
      : 'is not empty, or holds an unfinished backup';
    throw new Error(`npm run backup -- <folder>: a new or empty folder («${folder}» ${what})`);
  }
  for (const name of ['rows', 'files', 'secrets']) await makeFolder(path.join(folder, name));
}

/**
 * Like `recursive` of Node's own, which tries for ever where a folder cannot be made in one that is there, as in /proc,
 * and would keep the server busy.
 */
async function makeFolder(folder: string): Promise<void> {
  const make = () => mkdir(folder, { mode: 0o700 });
  try {
    await make();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || existsSync(path.dirname(folder))) throw error;
    await makeFolder(path.dirname(folder));
    await make();
  }
}

export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  const draft = `${placesIn(folder).manifest}.draft`;
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(draft, placesIn(folder).manifest);
}

/** Throws an Error for the operator when there is no finished backup. */
export function readManifest(folder: string): Manifest {
  const file = placesIn(folder).manifest;
  if (!existsSync(file)) {
    const what = existsSync(folder) ? `has no ${MANIFEST}: no backup, or one that was interrupted` : 'does not exist';
    throw new Error(`npm run restore -- <folder>: a folder with a backup («${folder}» ${what})`);
  }
  const read = manifest.safeParse(parseJson(readFileSync(file, 'utf8')));
  if (!read.success) throw new Error(`${file} cannot be used:\n${z.prettifyError(read.error)}`);
  return read.data;
}

/** Writes the lines to a new file, with constant memory. */
export async function writeLines(file: string, lines: AsyncIterable<string>): Promise<Digest> {
  let written = 0;
  async function* withEnds() {
    for await (const line of lines) {
      written++;
      yield `${line}\n`;
    }
  }
  const digested = createDigester();
  await pipeline(withEnds, digested.stream, createNewFile(file));
  return { lines: written, ...digested.read() };
}

/** Readable by its owner alone. The bytes are on the disk before it is closed. */
export function createNewFile(file: string) {
  return createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
}

/** Passes bytes on, and counts and hashes them. `read` is for when all have passed. */
export function createDigester() {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { stream, read: () => ({ bytes, sha256: hash.digest('hex') }) };
}

/** Writes a file as `createNewFile` does, and tells what it holds. */
export async function writeNewFile(file: string, bytes: Buffer): Promise<Content> {
  await writeFile(file, bytes, { flag: 'wx', mode: 0o600, flush: true });
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** The content of a file. Fails at its end when it is not what the backup wrote, so a storage keeps nothing of it. */
export function openChecked(file: string, expected: Content): Readable {
  return Readable.from(readChecked(file, expected), { objectMode: false });
}

async function* readChecked(file: string, expected: Content): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  if (!existsSync(file) || statSync(file).size !== expected.bytes) throw new DamagedError(file);
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== expected.sha256) throw new DamagedError(file);
}

class DamagedError extends Error {
  constructor(file: string) {
    super(`The backup is damaged: ${file} is not what the backup has written there. The rows were not restored.`);
  }
}

/** The lines of a file, checked like its content. */
export function readLines(file: string, expected: Content): AsyncGenerator<string> {
  return splitLines(openChecked(file, expected).setEncoding('utf8'));
}

/**
 * The lines of a text that arrives in pieces. Node's `readline` also splits at U+2028, which JSON leaves in strings.
 */
export async function* splitLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
