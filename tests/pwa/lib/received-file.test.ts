import { expect, test } from 'vitest';
import { chooseReceivedFile } from '#pwa/lib/received-file.ts';

test('of several shared files the first picture is taken, else whatever came first', () => {
  const pdf = { type: 'application/pdf' };
  const photo = { type: 'image/jpeg' };
  expect(chooseReceivedFile([pdf, photo, { type: 'image/png' }])).toBe(photo);
  expect(chooseReceivedFile([pdf])).toBe(pdf);
  expect(chooseReceivedFile([])).toBeNull();
});
