import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import literals from '#tests/fixtures/literal-texts.json' with { type: 'json' };
import { closeScreen, untilShown } from './open-screen.tsx';

/** The Russian texts that the specification's two documents quote, and the tests that look for each. */
const LITERAL_TEXTS = z
  .array(
    z.strictObject({
      document: z.union([z.literal(1), z.literal(2)]),
      section: z.string(),
      text: z.string(),
      /** Pieces of a text that contains a number or a name, or that is shown in several places. */
      parts: z.array(z.string()).min(1).optional(),
      /** Names of the files in `tests/pwa/texts` whose scenes show it. */
      seenIn: z.array(z.string()).min(1),
      /** A later decision changed the text: its parts must still be shown, the whole text must not. */
      overruledBy: z.strictObject({ decision: z.int(), reason: z.string() }).optional(),
    }),
  )
  .parse(literals);

type LiteralText = (typeof LITERAL_TEXTS)[number];

/** Looks for texts of the specification. A missing one fails the test of the scene. */
export interface Witness {
  /** Waits until the screen shows each text as a whole text of its own. `place` is a selector. */
  see: (place: string, ...texts: string[]) => Promise<void>;
  /** Waits until the screen shows these whole texts, which say `text` with a number, a name or a mark. */
  seeAs: (place: string, text: string, ...shown: string[]) => Promise<void>;
  /** Checks a text that is not on the screen against what was `said`, such as a message or a file's content. */
  hear: (text: string, ...said: string[]) => void;
}

/** Brings the program into a state and looks for the texts of that state. */
export type Scene = (witness: Witness) => Promise<void>;

/**
 * Adds a test for each scene. After all of them each text that the fixture assigns to this file must have been found; a
 * scene that looks for a text of another file fails.
 */
export function describeTexts(testFile: string, scenes: Record<string, Scene>): void {
  const file = path.basename(testFile, '.test.ts');
  const own = LITERAL_TEXTS.filter(({ seenIn }) => seenIn.includes(file));
  const found = new Set<string>();
  afterEach(closeScreen);
  test.each(Object.entries(scenes))('%s', (_title, scene) => scene(createWitness(own, found)));
  test('no text that the documents quote is missing', () => {
    expect(own.map(({ text }) => text).filter((text) => !found.has(text))).toEqual([]);
  });
}

function createWitness(own: readonly LiteralText[], found: Set<string>): Witness {
  const demand = (text: string): LiteralText => {
    const literal = own.find((other) => other.text === text);
    if (!literal) throw new Error(`the fixture does not assign «${text}» to this file`);
    return literal;
  };
  return {
    async see(place, ...texts) {
      for (const text of texts) {
        const { parts } = demand(text);
        if (parts && parts.join() !== text) throw new Error(`say as what «${text}» is shown`);
        await untilShown(text, place);
        found.add(text);
      }
    },
    async seeAs(place, text, ...shown) {
      assertSays(demand(text), shown);
      for (const whole of shown) await untilShown(whole, place);
      found.add(text);
    },
    hear(text, ...said) {
      const literal = demand(text);
      if (literal.parts) assertSays(literal, said);
      else expect(said).toContain(text);
      found.add(text);
    },
  };
}

/** Checks that the parts of the text, or else the whole, were said. An overruled text must not be said as a whole. */
function assertSays({ text, parts, overruledBy }: LiteralText, said: readonly string[]): void {
  const whole = said.join('\n');
  for (const part of parts ?? [text]) expect(whole).toContain(part);
  if (overruledBy) expect(whole).not.toContain(text);
}
