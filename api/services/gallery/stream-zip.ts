import { Readable } from 'node:stream';
import { makeZip } from 'client-zip';

/** One file of an archive. */
export interface ZipEntry {
  name: string;
  /** Opened when its turn comes. */
  open: () => Promise<Readable>;
  /** In bytes, where it is known. */
  size?: number;
  lastModified?: Date;
}

/**
 * A ZIP that is written while it is read. Stored, not deflated: pictures and videos are compressed already. Each file is
 * opened when its turn comes, so that an archive of many holds one file open.
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
  // Otherwise a caller who disconnects in the middle would leave a file open.
  return zip.once('close', () => current?.destroy());
}
