import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import literals from './fixtures/literal-texts.json' with { type: 'json' };

const SCREENS = path.join(import.meta.dirname, 'pwa/texts');

test('every text of the documents is assigned to tests that look for it on the screen', () => {
  expect(literals).toHaveLength(153);
  expect(new Set(literals.map(({ text }) => text)).size).toBe(153);
  const files = globSync('*.test.ts', { cwd: SCREENS }).map((file) => path.basename(file, '.test.ts'));
  const assigned = new Set(literals.flatMap(({ seenIn }) => seenIn));
  expect([...assigned].sort()).toEqual(files.sort());
});
