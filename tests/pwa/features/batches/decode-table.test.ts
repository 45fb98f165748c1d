import { expect, test } from 'vitest';
import { decodeTable } from '#pwa/features/batches/intake/decode-table.ts';

const TEXT = 'артикул;файл\r\nПЛ-204;ёлка.jpg';

test.each(['utf-16le', 'utf-16be'] as const)('a table in %s with its mark is read', (encoding) => {
  const bytes = Buffer.from(`\ufeff${TEXT}`, 'utf16le');
  expect(decodeTable(encoding === 'utf-16le' ? bytes : bytes.swap16())).toBe(TEXT);
});

test('a table in UTF-8 is read, with a mark or without', () => {
  expect(decodeTable(Buffer.from(TEXT))).toBe(TEXT);
  expect(decodeTable(Buffer.from(`\ufeff${TEXT}`))).toBe(TEXT);
});

test('a table in the encoding of a Russian Windows is read', () => {
  // «ПЛ-204;ёлка» in windows-1251.
  const bytes = Uint8Array.from([0xcf, 0xcb, 0x2d, 0x32, 0x30, 0x34, 0x3b, 0xb8, 0xeb, 0xea, 0xe0]);
  expect(decodeTable(bytes)).toBe('ПЛ-204;ёлка');
});
