import { crc32, deflateSync } from 'node:zlib';

/** The signature and the IHDR chunk, which always comes first. */
const HEADER_BYTES = 33;

/** Puts an ICC profile into a PNG file, so that its reader understands the numbers of the pixels. */
export function embedColourProfile(png: Buffer, profile: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from('iCCP'), Buffer.from('profile\0\0', 'latin1'), deflateSync(profile)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length - 4);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([png.subarray(0, HEADER_BYTES), length, content, checksum, png.subarray(HEADER_BYTES)]);
}
