import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginsVisit, forgetVisits, VISIT_GAP_MS } from '#pwa/features/consent/visits.ts';

const PAGE = 'change_model_opened';
const START = Date.UTC(2026, 10, 22, 12);
let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

test('a visit is counted once, even when its page is reloaded', () => {
  const openings = [0, 1, 20, 40, 60].map((minutes) => beginsVisit(PAGE, START + minutes * 60_000));
  expect(openings).toEqual([true, false, false, false, false]);
});

test('a return after half an hour is a new visit', () => {
  beginsVisit(PAGE, START);
  expect(beginsVisit(PAGE, START + VISIT_GAP_MS)).toBe(true);
  expect(beginsVisit(PAGE, START + VISIT_GAP_MS + 1)).toBe(false);
});

test('each thing has visits of its own, and a sign-out ends them all', () => {
  beginsVisit('download_options_opened video-1', START);
  expect(beginsVisit('download_options_opened video-2', START)).toBe(true);
  expect(beginsVisit('download_options_opened video-1', START)).toBe(false);
  forgetVisits();
  expect(beginsVisit('download_options_opened video-1', START)).toBe(true);
});

test('what is stored badly, or by a clock that was ahead, hides no visit', () => {
  for (const text of [
    '{not json',
    'null',
    '[]',
    JSON.stringify({ [PAGE]: 'x' }),
    JSON.stringify({ [PAGE]: START * 2 }),
  ]) {
    stored.set('podium.opened', text);
    expect(beginsVisit(PAGE, START)).toBe(true);
  }
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new Error('full');
    },
  });
  expect(beginsVisit(PAGE, START)).toBe(true);
});
