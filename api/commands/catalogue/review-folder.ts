import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { EngineJob, EngineOutput } from '#api/adapters/generation-engines/generation-engine.ts';
import { encodePicture } from '#api/catalogue/encode-picture.ts';
import { MANIFEST } from '#api/catalogue/load-catalogue.ts';
import { FileLockedError, lockFile } from '#api/platform/file-lock.ts';

/** Orders on their way. The file also marks a folder as one of this command. */
const JOBS = 'jobs.json';
/** The pictures as the engine made them. A picture whose file is here is not ordered again. */
const ORIGINALS = 'originals';
/** SQLite writes a second file beside it. */
const LOCK = '.lock';

type PictureType = Exclude<EngineOutput['contentType'], 'video/mp4'>;
const ENDINGS: Record<PictureType, string> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' };

/** `submitting`: the order is being sent, or was when the process died. Nobody knows whether it was taken. */
export type JobRecord = { state: 'submitting' } | { state: 'submitted'; job: EngineJob };

const jobRecord = z.discriminatedUnion('state', [
  z.object({ state: z.literal('submitting') }),
  z.object({
    state: z.literal('submitted'),
    job: z.object({ id: z.string(), details: z.record(z.string(), z.string()) }),
  }),
]);
const jobsFile = z.record(z.string(), jobRecord);

/** How far a folder is. Keys are places such as `woman/w1`. */
export interface Progress {
  made: Set<string>;
  jobs: Map<string, JobRecord>;
}

/**
 * Reads how far a folder is. One that does not exist is empty. Changes nothing. Throws an Error when the folder holds
 * something else.
 */
export function readProgress(folder: string): Progress {
  if (!existsSync(folder)) return { made: new Set(), jobs: new Map() };
  const file = path.join(folder, JOBS);
  if (!existsSync(file)) {
    if (readFolder(folder).every((name) => name.startsWith(LOCK))) return { made: new Set(), jobs: new Map() };
    throw new Error(`Папка ${folder} занята другими файлами. Назовите в --to новую или пустую`);
  }
  const originals = globSync(`${ORIGINALS}/*/*.{${Object.values(ENDINGS).join(',')}}`, { cwd: folder });
  return {
    made: new Set(
      originals.map((name) =>
        name
          .split(path.sep)
          .slice(1)
          .join('/')
          .replace(/\.\w+$/, ''),
      ),
    ),
    jobs: new Map(Object.entries(readJobs(file))),
  };
}

function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw describeObstacle(folder, error);
  }
}

function readJobs(file: string): z.output<typeof jobsFile> {
  try {
    return jobsFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new Error(`${file} не читается. В нём номера оплаченных заказов: восстановите файл или удалите всю папку`);
  }
}

/** A catalogue that is being made. One process at a time has it open. */
export interface ReviewFolder {
  readonly path: string;
  readonly progress: Progress;
  /** Writes down an order, or with null that there is none any more. It is on the disk when this returns. */
  noteJob(place: string, record: JobRecord | null): void;
  /** Stores a picture in place of the one of the catalogue before. Throws when it is not a picture. */
  store(place: string, content: Buffer, contentType: PictureType): Promise<void>;
  close(): void;
}

/**
 * Makes the folder, or opens it again. It begins as a copy of the catalogue in `source`, so that it is a whole
 * catalogue at any time. `places`: the pictures to copy. Throws an Error when it cannot be written or is open
 * elsewhere.
 */
export function openReviewFolder(folder: string, source: string, places: readonly string[]): ReviewFolder {
  const lock = lockFolder(folder);
  const progress = readProgress(folder);
  const writeJobs = () => writeWhole(path.join(folder, JOBS), JSON.stringify(Object.fromEntries(progress.jobs)));
  const noteJob: ReviewFolder['noteJob'] = (place, record) => {
    if (record) progress.jobs.set(place, record);
    else progress.jobs.delete(place);
    writeJobs();
  };
  writeJobs();
  for (const name of [MANIFEST, ...places.flatMap((place) => [`${place}.webp`, `${place}.avif`])]) {
    const [from, to] = [path.join(source, name), path.join(folder, name)];
    if (existsSync(to) || !existsSync(from)) continue;
    mkdirSync(path.dirname(to), { recursive: true });
    copyFileSync(from, to);
  }
  return {
    path: folder,
    progress,
    noteJob,
    async store(place, content, contentType) {
      await encodePicture(content, path.join(folder, place));
      const original = path.join(folder, ORIGINALS, `${place}.${ENDINGS[contentType]}`);
      mkdirSync(path.dirname(original), { recursive: true });
      // Last, because the picture counts as made from here on.
      writeWhole(original, content);
      progress.made.add(place);
      noteJob(place, null);
    },
    close: () => lock.release(),
  };
}

function lockFolder(folder: string): { release(): void } {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw describeObstacle(folder, error);
  }
  try {
    return lockFile(path.join(folder, LOCK));
  } catch (error) {
    throw error instanceof FileLockedError ? new Error(`В папке ${folder} эта команда уже работает`) : error;
  }
}

/** Replaces a file as a whole, so that a crash leaves the old or the new one. */
function writeWhole(file: string, content: string | Buffer): void {
  writeFileSync(`${file}.part`, content, { flush: true });
  renameSync(`${file}.part`, file);
}

function describeObstacle(folder: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  return new Error(`В папку ${folder} нельзя записать (${code ?? message})`);
}
