import { readFileSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Page } from 'playwright/test';
import { z } from 'zod';
import { GENERATION_FAILURES, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { setFixture } from '#tests/e2e/fixture.ts';
import { collectComplaints } from '#tests/e2e/newcomer.ts';
import { drawProductPhoto, type ProductPhotoKind } from '#tests/fixtures/draw-product-photo.ts';

export type EngineName = 'fal' | 'comfyui';

/** The running program of an engine. */
interface Program {
  engine: EngineName;
  dataDir: string;
  /** What the program prints: its log, one JSON object per line. */
  logFile: string;
}
export interface EngineOptions {
  program: Program | null;
}

export interface EngineFacts {
  videoLengths: string[];
  /** Whether pages say that a stand-in works. They do where the address of a hosted engine is on this machine. */
  isStandInNamed: boolean;
  /** What is said when the fake refuses an order. Only a hosted engine judges contents. */
  refusal: string;
  /** What cannot be started while the engine waits for the operator. */
  brokenTools: GenerationKind[];
}

const FACTS: Record<EngineName, EngineFacts> = {
  fal: {
    videoLengths: ['5 секунд', '10 секунд'],
    isStandInNamed: true,
    refusal: GENERATION_FAILURES.content_refused,
    // Its balance is empty.
    brokenTools: ['video', 'model_change', 'photosession', 'try_on'],
  },
  comfyui: {
    videoLengths: ['5 секунд'],
    isStandInNamed: false,
    refusal: GENERATION_FAILURES.photo_unsuitable,
    // A file of its model is missing.
    brokenTools: ['video'],
  },
};

const logLine = z.object({ level: z.string(), msg: z.string() });

interface JourneyFixtures {
  /** Errors that a test brings about, as the program logs them. Any other fails the test. */
  expectedErrors: readonly string[];
  facts: EngineFacts;
  /** Fails the test for an error in the browser's console or in the program's log, and repairs the engine afterwards. */
  watch: undefined;
}

/** A test that runs against the program of each engine, at both sizes. */
export const test = base.extend<JourneyFixtures, EngineOptions & { fixture: Program }>({
  program: [null, { option: true, scope: 'worker' }],
  fixture: [
    async ({ program }, use) => {
      if (!program) throw new Error('the program is set by playwright.config.ts');
      process.env.E2E_DATA_DIR = program.dataDir;
      await use(program);
    },
    { scope: 'worker' },
  ],
  expectedErrors: [[], { option: true }],
  facts: async ({ fixture }, use) => use(FACTS[fixture.engine]),
  watch: [
    async ({ page, fixture, expectedErrors }, use) => {
      const complaints = collectComplaints(page);
      const linesBefore = readLog(fixture).length;
      await use(undefined);
      await setFixture('engine-recover', {});
      expect(complaints).toEqual([]);
      const logged = readLog(fixture).slice(linesBefore).map(parseLine);
      expect(logged.filter(({ level }) => level === 'error' || level === 'fatal').map(({ msg }) => msg)).toEqual(
        expectedErrors,
      );
    },
    { auto: true },
  ],
});

function readLog({ logFile }: Program): string[] {
  return readFileSync(logFile, 'utf8').split('\n').slice(0, -1);
}

/** A line that is no JSON comes from a crash. */
function parseLine(line: string): z.infer<typeof logLine> {
  return line.startsWith('{') ? logLine.parse(JSON.parse(line)) : { level: 'error', msg: line };
}

/** Chooses a drawn photo in the given place of the page, by default its first, and waits until it is uploaded. */
export async function choosePhoto(
  page: Page,
  { kind = 'garment', name = 'платье.jpg', place = 0 }: { kind?: ProductPhotoKind; name?: string; place?: number } = {},
): Promise<void> {
  const buffer = await drawProductPhoto(kind, { width: 900, height: 1200 });
  await page
    .locator('input[type=file]:not([capture])')
    .nth(place)
    .setInputFiles({ name, mimeType: 'image/jpeg', buffer });
  await expect(page.getByText(name)).toBeVisible();
}

/** Expects that axe finds nothing on the page as it is, in both themes. */
export async function expectAccessible(page: Page): Promise<void> {
  // The press before has left the pointer where the page may show a tooltip, which is in no part of the page.
  await page.mouse.move(5, 5);
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  // Still pictures: what fades in is measured as if it were pale.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
    const { violations } = await axe.analyze();
    const found = violations.map(({ id, nodes }) => [colorScheme, id, ...nodes.map(({ html }) => html.slice(0, 200))]);
    expect(found).toEqual([]);
  }
}

/** Stars that the person who is signed in can spend. */
export async function readBalance(page: Page): Promise<number> {
  const answer = await page.request.get('/api/stars/balance');
  return z.object({ balance: z.int() }).parse(await answer.json()).balance;
}

/** Finishes the oldest job that the engine holds, once there is one. */
export async function finishOldest(): Promise<void> {
  await expect
    .poll(async () => z.object({ isFinished: z.boolean() }).parse(await setFixture('engine-finish', {})).isFinished)
    .toBe(true);
}
