import { Readable } from 'node:stream';
import { makeZip } from 'client-zip';

/** A ZIP that is written while it is sent. */
export interface Archive {
  name: string;
  /** Null when it is known only at the end. */
  bytes: number | null;
  open: () => Readable;
}

/** One file of an archive. */
export interface ZipEntry {
  name: string;
  /** Called when the file's turn comes. */
  open: () => Promise<Readable>;
  /** In bytes, if known. */
  size?: number;
  lastModified?: Date;
}

/**
 * A ZIP that is written while it is read. Not compressed, because pictures and videos are compressed already. Each file
 * is opened when its turn comes, so that only one is open at a time.
 */
export function streamZip(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): Readable {
  let current: Readable | undefined;
  async function* openFiles() {
    for await (const { open, ...file } of entries) {
      current = await open();
      yield { ...file, input: current };
    }
  }
  const zip = Readable.from(makeZip(openFiles(), { buffersAreUTF8: true }), { objectMode: false });
  // Otherwise a file would stay open after a caller disconnects.
  return zip.once('close', () => current?.destroy());
}
