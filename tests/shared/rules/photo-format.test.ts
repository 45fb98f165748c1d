import { expect, test } from 'vitest';
import { isPhotoFormat, PHOTO_HEAD_BYTES, sniffPhotoFormat } from '#shared/rules/photo-format.ts';

function ftyp(major: string, ...compatible: string[]): Buffer {
  const brands = Buffer.from(`ftyp${major}\0\0\0\0${compatible.join('')}`, 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(brands.length + 4);
  return Buffer.concat([length, brands, Buffer.from('heic is not a brand out here')]);
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';

test.each([
  ['JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'jpeg'],
  ['PNG', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'png'],
  ['WebP', Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1'), 'webp'],
  ['HEIC', ftyp('heic', 'mif1', 'heic'), 'heic'],
  ['HEIC of 10 bits', ftyp('heix'), 'heic'],
  ['a sequence of HEIC', ftyp('hevc', 'msf1'), 'heic'],
  ['HEIF that says no more', ftyp('mif1', 'miaf'), 'heic'],
  ['HEIF in HEVC', ftyp('mif1', 'heic'), 'heic'],
  ['AVIF', ftyp('avif', 'mif1', 'miaf'), 'avif'],
  ['AVIF under a general brand', ftyp('mif1', 'avif', 'miaf'), 'avif'],
  ['a sequence of AVIF', ftyp('avis', 'msf1'), 'avif'],
  ['a film', ftyp('isom', 'mp41'), null],
  ['a WAV', Buffer.from('RIFF\x10\0\0\0WAVEfmt ', 'latin1'), null],
  ['a GIF', Buffer.from('GIF89a', 'latin1'), 'gif'],
  ['a TIFF', Buffer.from('II*\0\x08\0\0\0', 'latin1'), 'tiff'],
  ['a TIFF of the other byte order', Buffer.from('MM\0*\0\0\0\x08', 'latin1'), 'tiff'],
  ['an SVG', Buffer.from(SVG), 'svg'],
  ['an SVG behind its declaration', Buffer.from(`\ufeff<?xml version="1.0"?>\n<!-- drawn -->\n${SVG}`), 'svg'],
  ['a page with an SVG in it', Buffer.from(`<!doctype html><p>${SVG}</p>`), null],
  ['four bytes', Buffer.from('\0\0\0\x18', 'latin1'), null],
  ['nothing', Buffer.alloc(0), null],
])('%s', (_what, head, format) => {
  expect(sniffPhotoFormat(head)).toBe(format);
});

test('a whole file is judged by its first bytes', () => {
  const jpeg = new Uint8Array(300_000).fill(0xff);
  jpeg.set([0xff, 0xd8, 0xff]);
  expect(sniffPhotoFormat(jpeg)).toBe('jpeg');
  expect(sniffPhotoFormat(jpeg.subarray(0, PHOTO_HEAD_BYTES))).toBe('jpeg');
});

test('pictures that are not taken have names', () => {
  expect((['jpeg', 'avif', 'svg', 'gif', null] as const).map(isPhotoFormat)).toEqual([true, true, false, false, false]);
});
