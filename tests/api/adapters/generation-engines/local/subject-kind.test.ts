import { expect, test } from 'vitest';
import { detectSubject } from '#api/adapters/generation-engines/local/picture-processes.ts';
import { findSubjectKind } from '#api/adapters/generation-engines/local/subject-kind.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';

const SIZE = { width: 600, height: 800 };

test.each([
  ['garment', 'garment'],
  ['dotted', 'garment'],
  ['standing', 'person'],
  ['closed-gaps', 'person'],
  ['pale-shoe', 'shoe'],
  ['busy', 'unknown'],
] as const)('a photo of kind %s shows: %s', async (kind, subject) => {
  expect(await findSubjectKind(await drawProductPhoto(kind, SIZE))).toBe(subject);
});

test('a photo is examined in another process, and not at all when nobody waits any more', async () => {
  const photo = await drawProductPhoto('garment', SIZE);
  expect(await detectSubject(photo, AbortSignal.timeout(60_000))).toBe('garment');
  await expect(detectSubject(photo, AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
  await expect(detectSubject(Buffer.from('no picture'), AbortSignal.timeout(60_000))).rejects.toThrow();
});
