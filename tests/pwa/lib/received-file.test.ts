import { expect, test } from 'vitest';
import { chooseReceivedFile } from '#pwa/lib/received-file.ts';

test('of several shared files the first picture is taken, else the first document', () => {
  const pdf = { type: 'application/pdf', size: 8 };
  const photo = { type: 'image/jpeg', size: 8 };
  const heic = { type: '', size: 8 };
  expect(chooseReceivedFile([pdf, photo, { type: 'image/png', size: 8 }])).toBe(photo);
  expect(chooseReceivedFile([pdf])).toBe(pdf);
  expect(chooseReceivedFile([heic])).toBe(heic);
});

test('text, and the empty file of a form without one, are no file', () => {
  expect(chooseReceivedFile([])).toBeNull();
  expect(chooseReceivedFile([{ type: 'application/octet-stream', size: 0 }])).toBeNull();
  expect(chooseReceivedFile([{ type: 'text/plain', size: 12 }])).toBeNull();
});
