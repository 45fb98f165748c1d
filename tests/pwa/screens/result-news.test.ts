// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { getGeneration } from '#shared/contract/generations.ts';
import { getUnseen, markSeen, type NewResult } from '#shared/contract/notifications.ts';
import { listStarHistory } from '#shared/contract/stars.ts';
import {
  closeScreen,
  openScreen,
  readText,
  type Screen,
  untilAt,
  untilGone,
  untilShown,
} from '#tests/pwa/support/open-screen.tsx';
import { GENERATION_ID, sampleGeneration, sampleResult } from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const TOAST = '.toast';
const OTHER_ID = '7d1e2f3a-4b5c-4d6e-8f70-8192a3b4c5d6';
const TITLE = 'История звёзд — Подиум';

afterEach(closeScreen);

test('a finished result is told on any page and marked until it is seen', async () => {
  const screen = await openWith([sampleNews()]);
  await untilShown('Фотосессия готова', TOAST);
  await until(() => expect(document.title).toBe(`(1) Готово · ${TITLE}`));
  // In the sidebar and in the tab bar.
  expect(readMarks()).toEqual(['1 новый результат', '1 новый результат']);
  expect(readText('.tabbar .news')).toBe('1');

  const results = [sampleResult()];
  screen.server.answer(getGeneration, sampleGeneration('photosession', { status: 'completed', results }));
  await screen.press('button', 'Открыть', TOAST);
  await untilAt('/dashboard/photoshoot');
  await until(() =>
    expect(screen.server.callsOf(markSeen).map(({ body }) => body)).toEqual([{ generationIds: [GENERATION_ID] }]),
  );
  await until(() => expect(readMarks()).toEqual([]));
  expect(document.title).not.toContain('Готово');
});

test('a reload tells nothing again, and another device that has seen it takes the mark away', async () => {
  const { server, reload } = await openWith([sampleNews()]);
  await untilShown('Фотосессия готова', TOAST);
  await reload();
  await until(() => expect(readMarks()).toHaveLength(2));
  expect(document.querySelector(TOAST)).toBeNull();
  server.answer(getUnseen, { unseen: 0, results: [] });
  await reload();
  await until(() => expect(server.callsOf(getUnseen).length).toBeGreaterThanOrEqual(3));
  expect(readMarks()).toEqual([]);
});

test('several results are told together, and old ones only by the mark', async () => {
  const old = sampleNews({ finishedAt: new Date(Date.now() - 3600_000).toISOString() });
  const first = await openWith([old]);
  await until(() => expect(readMarks()).toHaveLength(2));
  expect(document.querySelector(TOAST)).toBeNull();
  first.server.answer(getUnseen, {
    unseen: 3,
    results: ['a', 'b'].map((end) =>
      sampleNews({ generationId: OTHER_ID.slice(0, -1) + end, kind: 'video', made: 'video' }),
    ),
  });
  await first.reload();
  await untilShown('Готово: 2 новых результата', TOAST);
  await first.press('button', 'Открыть', TOAST);
  await untilAt('/dashboard/gallery');
});

test('the page of the tool tells its result by itself', async () => {
  await openWith([sampleNews()], '/dashboard/photoshoot');
  await until(() => expect(readMarks()).toHaveLength(2));
  expect(document.querySelector(TOAST)).toBeNull();
  await untilGone('Фотосессия готова', TOAST);
});

test('a result that ended while the tab was hidden is told when somebody looks', async () => {
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  await openWith([sampleNews()]);
  await until(() => expect(document.title).toBe(`(1) Готово · ${TITLE}`));
  expect(document.querySelector(TOAST)).toBeNull();
  visibility.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  await untilShown('Фотосессия готова', TOAST);
});

function sampleNews(part: Partial<NewResult> = {}): NewResult {
  const finishedAt = new Date().toISOString();
  return { generationId: GENERATION_ID, kind: 'photosession', made: 'photosession', finishedAt, ...part };
}

function openWith(results: NewResult[], address = '/stars'): Promise<Screen> {
  return openScreen(address, {
    prepare(server) {
      server.answer(getUnseen, { unseen: results.length, results });
      server.refuse(listStarHistory, 'unavailable');
    },
  });
}

/** What the links of the two navigations say of new results. */
function readMarks(): string[] {
  return [...document.querySelectorAll('a[aria-describedby]')].map((link) => {
    const description = document.getElementById(link.getAttribute('aria-describedby') ?? '');
    return (description?.textContent ?? '').replace(/\s/g, ' ');
  });
}
