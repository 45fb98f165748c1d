import { expect, test } from 'vitest';
import { sniffPhotoFormat } from '#api/services/photos/format.ts';

function ftyp(major: string, ...compatible: string[]): Buffer {
  const brands = Buffer.from(`ftyp${major}\0\0\0\0${compatible.join('')}`, 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(brands.length + 4);
  return Buffer.concat([length, brands, Buffer.from('heic is not a brand out here')]);
}

test.each([
  ['JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'jpeg'],
  ['PNG', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'png'],
  ['WebP', Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1'), 'webp'],
  ['HEIC', ftyp('heic', 'mif1', 'heic'), 'heic'],
  ['HEIC of 10 bits', ftyp('heix'), 'heic'],
  ['a sequence of HEIC', ftyp('hevc', 'msf1'), 'heic'],
  ['HEIF that says no more', ftyp('mif1', 'miaf'), 'heic'],
  ['HEIF in HEVC', ftyp('mif1', 'heic'), 'heic'],
  ['AVIF', ftyp('avif', 'mif1', 'miaf'), null],
  ['AVIF under a general brand', ftyp('mif1', 'avif', 'miaf'), null],
  ['a film', ftyp('isom', 'mp41'), null],
  ['a WAV', Buffer.from('RIFF\x10\0\0\0WAVEfmt ', 'latin1'), null],
  ['a GIF', Buffer.from('GIF89a', 'latin1'), null],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), null],
  ['four bytes', Buffer.from('\0\0\0\x18', 'latin1'), null],
  ['nothing', Buffer.alloc(0), null],
])('%s', (_what, head, format) => {
  expect(sniffPhotoFormat(head)).toBe(format);
});
