import { statfs } from 'node:fs/promises';

/** Space that is left on the disk of a folder, in bytes, for a user without privileges. */
export async function findFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
