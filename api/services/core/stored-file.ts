import type { Readable } from 'node:stream';
import { ObjectNotFoundError } from '#api/adapters/storage/object-storage.ts';
import type { AppContext } from '#api/services/app-context.ts';

type Storage = Pick<AppContext, 'storage'>;

/** A file as its row names it. */
export interface RecordedFile {
  key: string;
  /** The size that it was stored with. Absent for a copy that was made after its row was read. */
  bytes?: number | undefined;
}

/** Size in bytes. Throws ObjectNotFoundError for a missing file, and for a broken one: nobody may take it for the whole. */
export async function measureFile({ storage }: Storage, { key, bytes }: RecordedFile): Promise<number> {
  const size = await storage.findSize(key);
  if (size === null || size !== (bytes ?? size)) throw new ObjectNotFoundError(key);
  return size;
}

export async function openFile(app: Storage, file: RecordedFile): Promise<Readable> {
  if (file.bytes !== undefined) await measureFile(app, file);
  return app.storage.open(file.key);
}
