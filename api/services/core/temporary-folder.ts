import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { explainWorkFailure, readDiskError } from '#api/adapters/storage/disk-failures.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';

/**
 * Runs the work with a temporary folder under DATA_DIR, which is removed afterwards. Throws StorageFullError,
 * StorageUnavailableError, and what the work throws.
 */
export async function withTemporaryFolder<T>(
  app: Pick<AppContext, 'config' | 'log'>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await makeFolder(path.join(app.config.dataDir, 'work'));
  try {
    return await work(folder);
  } catch (error) {
    // What is refused for a reason of its own was not stopped by the disk.
    throw error instanceof AppError ? error : await explainWorkFailure(error, folder);
  } finally {
    await removeFolder(app, folder);
  }
}

/** Never throws: the work is done or has failed for a reason of its own. The hourly clean-up takes what stays. */
async function removeFolder({ log }: Pick<AppContext, 'log'>, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch((error: unknown) =>
    log.warn({ err: readDiskError(error), folder }, 'a work folder stays until the hourly clean-up'),
  );
}

async function makeFolder(parent: string): Promise<string> {
  try {
    await mkdir(parent, { recursive: true });
    return await mkdtemp(path.join(parent, 'task-'));
  } catch (error) {
    throw readDiskError(error);
  }
}
