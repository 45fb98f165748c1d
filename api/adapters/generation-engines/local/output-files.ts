import { createReadStream } from 'node:fs';
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineOutput } from '#api/adapters/generation-engines/generation-engine.ts';

const STALE_FILE_MS = 24 * 60 * 60 * 1000;
const JOB_ID = /^local-[0-9a-f]{32}$/;
const OUTPUT_NAME = /^(local-[0-9a-f]{32})\.(\d+)of(\d+)\.(mp4|jpg)$/;

/** The position of a job's file among its outputs. The file name contains it, so a later process needs no list. */
export interface OutputPlace {
  jobId: string;
  position: number;
  count: number;
}

export interface FoundOutputs {
  outputs: EngineOutput[];
  /** Whether all outputs of the job exist. */
  isComplete: boolean;
}

/** Finished files of one job, by position. Files appear complete, because they are written elsewhere and renamed. */
export async function findOutputs(workDir: string, jobId: string): Promise<FoundOutputs> {
  const outputs: EngineOutput[] = [];
  let count = Number.POSITIVE_INFINITY;
  if (JOB_ID.test(jobId)) {
    for (const name of await readdir(workDir)) {
      const [, owner, position, total, extension] = OUTPUT_NAME.exec(name) ?? [];
      if (owner !== jobId) continue;
      count = Number(total);
      outputs.push({
        contentType: extension === 'mp4' ? 'video/mp4' : 'image/jpeg',
        position: Number(position),
        open: async () => createReadStream(join(workDir, name)),
      });
    }
  }
  outputs.sort((a, b) => a.position - b.position);
  return { outputs, isComplete: outputs.length >= count };
}

export function partialPath(workDir: string, jobId: string): string {
  return join(workDir, `${jobId}.${process.pid}.partial`);
}

/** Renames a finished file to its final name. */
export async function keepOutput(workDir: string, place: OutputPlace, extension: 'mp4' | 'jpg'): Promise<void> {
  const name = `${place.jobId}.${place.position}of${place.count}.${extension}`;
  await rename(partialPath(workDir, place.jobId), join(workDir, name));
}

export async function writePicture(workDir: string, place: OutputPlace, jpeg: Uint8Array): Promise<void> {
  await writeFile(partialPath(workDir, place.jobId), jpeg);
  await keepOutput(workDir, place, 'jpg');
}

export async function removeOutputs(workDir: string, jobId: string): Promise<void> {
  if (!JOB_ID.test(jobId)) return;
  for (const name of await readdir(workDir)) {
    if (name.startsWith(`${jobId}.`)) await rm(join(workDir, name), { force: true });
  }
}

/** Removes files that a crash left behind. Nobody asks for them after a day. */
export async function removeStaleFiles(workDir: string): Promise<void> {
  for (const name of await readdir(workDir)) {
    const path = join(workDir, name);
    const isOld = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs > STALE_FILE_MS,
      () => false,
    );
    if (isOld) await rm(path, { force: true });
  }
}
