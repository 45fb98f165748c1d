import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { AppContext } from '#api/services/app-context.ts';

/** Runs the work with a temporary folder under DATA_DIR, which is always removed afterwards. */
export async function withTemporaryFolder<T>(
  app: Pick<AppContext, 'config'>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const parent = path.join(app.config.dataDir, 'work');
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(path.join(parent, 'task-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
