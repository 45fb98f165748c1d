import { crc32 } from 'node:zlib';

const END = 0x06054b50;
const CENTRAL_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
const STORED = 0;
const UTF8_NAMES = 0x800;

/** The files of a ZIP by name, found through its index and checked by their sums. Throws for whatever is not in order. */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.length - 22;
  if (zip.readUInt32LE(end) !== END) throw new Error('the archive has no end');
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    if (zip.readUInt32LE(at) !== CENTRAL_ENTRY) throw new Error('the index of the archive is broken');
    if (zip.readUInt16LE(at + 10) !== STORED) throw new Error('only stored files were expected');
    if ((zip.readUInt16LE(at + 8) & UTF8_NAMES) === 0) throw new Error('the name is not said to be UTF-8');
    const [sum, size] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 24)];
    const lengths = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const name = zip.toString('utf8', at + 46, at + 46 + (lengths[0] ?? 0));
    const local = zip.readUInt32LE(at + 42);
    if (zip.readUInt32LE(local) !== LOCAL_ENTRY) throw new Error(`the index is wrong about ${name}`);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = zip.subarray(start, start + size);
    if (crc32(content) !== sum) throw new Error(`${name} is damaged`);
    if (files.has(name)) throw new Error(`${name} is there twice`);
    files.set(name, content);
    at += 46 + lengths.reduce((total, length) => total + length, 0);
  }
  if (at !== end) throw new Error('the index does not end where it should');
  return files;
}
