import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';

const STORED = 0;
const UTF8_NAMES = 0x800;

/**
 * The files of a ZIP by name. Throws when the archive is broken, and for three things that ours never have:
 * compression, names not marked as UTF-8, and duplicate names. Compares the checksums, because yauzl does not.
 */
export async function readZip(zip: Buffer): Promise<Map<string, Buffer>> {
  const archive = await fromBufferPromise(zip, { lazyEntries: true, strictFileNames: true });
  const files = new Map<string, Buffer>();
  for await (const entry of archive.eachEntry()) {
    const name = entry.fileName;
    if (entry.compressionMethod !== STORED) throw new Error(`${name} is compressed`);
    if ((entry.generalPurposeBitFlag & UTF8_NAMES) === 0) throw new Error(`${name} is not said to be UTF-8`);
    const content = await buffer(await archive.openReadStreamPromise(entry));
    if (crc32(content) !== entry.crc32) throw new Error(`${name} is damaged`);
    if (files.has(name)) throw new Error(`${name} is there twice`);
    files.set(name, content);
  }
  return files;
}
