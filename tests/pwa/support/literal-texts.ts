import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import literals from '#tests/fixtures/literal-texts.json' with { type: 'json' };
import { closeScreen, untilShown } from './open-screen.tsx';

/** The Russian texts that the specification's two documents quote, and the tests that look for each. */
export const LITERAL_TEXTS = z
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

/** Looks for texts of the specification. A missing text fails only the test of that text; the scene goes on. */
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
 * Adds a test for each scene, and one for each text that the fixture assigns to this file. A text that no scene looks
 * for fails. A scene that looks for a text of another file fails too.
 */
export function describeTexts(testFile: string, scenes: Record<string, Scene>): void {
  const file = path.basename(testFile, '.test.ts');
  const own = LITERAL_TEXTS.filter(({ seenIn }) => seenIn.includes(file));
  const plays = Object.entries(scenes).map(([title, scene]) => ({ title, play: playOnce(own, scene) }));
  test.each(plays)('$title', async ({ play }) => {
    const { ended } = await play();
    if (ended !== null) throw ended;
  });
  test.each(own)('$document, $section: «$text»', async ({ text }) => {
    let wasSeen = false;
    for (const { play } of plays) {
      const { found } = await play();
      const fault = found.get(text);
      if (fault) throw fault;
      wasSeen ||= fault === null;
    }
    expect(wasSeen, 'no scene has shown it').toBe(true);
  });
}

interface Played {
  /** By text: null when it was found, otherwise the error. */
  found: Map<string, Error | null>;
  /** The error that ended the scene early; null when there was none. */
  ended: unknown;
}

/** Plays the scene at the first call. Later calls return the same outcome. */
function playOnce(own: readonly LiteralText[], scene: Scene): () => Promise<Played> {
  let played: Promise<Played> | null = null;
  const play = async (): Promise<Played> => {
    const found: Played['found'] = new Map();
    try {
      await scene(createWitness(own, found));
      return { found, ended: null };
    } catch (error) {
      return { found, ended: error };
    }
  };
  const closed = async () => {
    const outcome = await play();
    try {
      await closeScreen();
      return outcome;
    } catch (error) {
      return { ...outcome, ended: outcome.ended ?? error };
    }
  };
  return () => {
    played ??= closed().then((outcome) => {
      // A repeated test plays a scene again that was late.
      if (outcome.ended !== null || [...outcome.found.values()].some(Boolean)) played = null;
      return outcome;
    });
    return played;
  };
}

function createWitness(own: readonly LiteralText[], found: Played['found']): Witness {
  const demand = (text: string): LiteralText => {
    const literal = own.find((other) => other.text === text);
    if (!literal) throw new Error(`the fixture does not assign «${text}» to this file`);
    return literal;
  };
  const note = async (text: string, look: () => Promise<void> | void) => {
    try {
      await look();
      if (!found.has(text)) found.set(text, null);
    } catch (error) {
      found.set(text, error instanceof Error ? error : new Error(String(error)));
    }
  };
  return {
    async see(place, ...texts) {
      for (const text of texts) {
        const { parts } = demand(text);
        if (parts && parts.join() !== text) throw new Error(`say as what «${text}» is shown`);
        await note(text, () => untilShown(text, place));
      }
    },
    async seeAs(place, text, ...shown) {
      const literal = demand(text);
      await note(text, async () => {
        assertSays(literal, shown);
        for (const whole of shown) await untilShown(whole, place);
      });
    },
    hear(text, ...said) {
      const literal = demand(text);
      void note(text, () => (literal.parts ? assertSays(literal, said) : expect(said).toContain(text)));
    },
  };
}

/** Checks that the parts of the text, or else the whole, were said. An overruled text must not be said as a whole. */
function assertSays({ text, parts, overruledBy }: LiteralText, said: readonly string[]): void {
  const whole = said.join('\n');
  for (const part of parts ?? [text]) expect(whole).toContain(part);
  if (overruledBy) expect(whole).not.toContain(text);
}
