import { BlobReader, configure, type FileEntry, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js';
import { BATCH_ALL_ROWS_MAX } from '#shared/rules/batches.ts';
import type { IntakeFile } from './add-files.ts';
import { isWaste } from './waste-files.ts';

export const ZIP_MAX_BYTES = 500 * 1024 * 1024;
/** What is larger when it is unpacked is no photo of a camera. */
const ENTRY_MAX_BYTES = 100 * 1024 * 1024;

// The page's policy allows no workers from blobs, and browsers inflate beside the page anyway.
configure({ useWebWorkers: false });

/**
 * The files of a ZIP, each with its last folder. A file is unpacked only when it is read, so that the archive never lies
 * in memory. Encrypted and oversized files are refused ones. Rejects when it is no ZIP.
 */
export async function openZip(zip: File): Promise<IntakeFile[]> {
  const reader = new ZipReader(new BlobReader(zip));
  const files: IntakeFile[] = [];
  for await (const entry of reader.getEntriesGenerator()) {
    const steps = entry.filename.split(/[/\\]/);
    if (entry.directory || steps.some(isWaste)) continue;
    files.push(describeEntry(entry, steps));
    // A batch takes no more, and a bomb may have millions.
    if (files.length > BATCH_ALL_ROWS_MAX) break;
  }
  return files;
}

function describeEntry(entry: FileEntry, steps: readonly string[]): IntakeFile {
  const { encrypted, uncompressedSize } = entry;
  const name = (steps.at(-1) ?? '').normalize('NFC');
  const refusal = encrypted ? 'zip_entry_encrypted' : uncompressedSize > ENTRY_MAX_BYTES ? 'photo_too_large' : null;
  return {
    name,
    folder: steps.at(-2)?.normalize('NFC') || null,
    size: uncompressedSize,
    read: refusal === null ? () => unpack(entry, name) : null,
    refusal,
    unreadable: 'zip_entry_broken',
  };
}

/** Rejects when the entry is broken, or longer than it says. */
async function unpack(entry: FileEntry, name: string): Promise<File> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const writable = new WritableStream<Uint8Array<ArrayBuffer>>({
    write(chunk) {
      size += chunk.length;
      if (size > entry.uncompressedSize) throw new Error('the entry is longer than it says');
      parts.push(chunk.slice());
    },
  });
  await entry.getData(writable, { checkSignature: true });
  return new File(parts, name);
}
