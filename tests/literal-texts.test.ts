import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import literals from './fixtures/literal-texts.json' with { type: 'json' };

const ROOT = path.resolve(import.meta.dirname, '..');

/** The Russian texts that the two documents of the specification give word for word, and where each one stands. */
const TEXTS = z
  .array(
    z.strictObject({
      document: z.union([z.literal(1), z.literal(2)]),
      section: z.string(),
      text: z.string(),
      /** Pieces of a text that has a number or a name in it, or that stands inside a longer one. */
      parts: z.array(z.string()).optional(),
      /** The one source file that owns the text. */
      file: z.string(),
      /** A decision says it otherwise: the parts still stand, the rest of the text does not. */
      overruledBy: z.strictObject({ decision: z.int(), reason: z.string() }).optional(),
      /** The screen is still to come. */
      pending: z.string().optional(),
    }),
  )
  .parse(literals);

const BEFORE = String.raw`(?:^|['"\x60>{}\n(\[«])\s*`;
const AFTER = String.raw`\s*(?:['"\x60<{}\n)\]»]|$)`;

/** The source with plain spaces where it has no-break ones, however they are written. */
function readSource(file: string): string {
  const text = existsSync(path.join(ROOT, file)) ? readFileSync(path.join(ROOT, file), 'utf8') : '';
  return text.replaceAll(/\\u00a0|\u00a0|&nbsp;/g, ' ');
}

const standing = TEXTS.filter(({ pending, overruledBy }) => !pending && !overruledBy);

test.each(standing.filter(({ parts }) => !parts))('$section: «$text» stands letter for letter', ({ text, file }) => {
  expect(readSource(file)).toMatch(new RegExp(BEFORE + RegExp.escape(text) + AFTER));
});

test.each(standing.filter(({ parts }) => parts))('$section: «$text» stands in its parts', ({ parts = [], file }) => {
  const source = readSource(file);
  for (const part of parts) expect(source).toContain(part);
});

test.each(TEXTS.filter(({ overruledBy }) => overruledBy))(
  '$section: «$text» gives way to decision $overruledBy.decision',
  ({ parts = [], text, file }) => {
    const source = readSource(file);
    for (const part of parts) expect(source).toContain(part);
    expect(source).not.toContain(text);
  },
);

test('every text of the documents is accounted for', () => {
  expect(TEXTS).toHaveLength(153);
  expect(TEXTS.filter(({ pending }) => pending).map(({ text }) => text)).toEqual([]);
});
