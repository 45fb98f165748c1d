import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noteInSight, noteSeen } from '#pwa/features/generations/seen-results.ts';

let page: EventTarget & { visibilityState: string };
let shown: { tag: string; close: ReturnType<typeof vi.fn> }[];
beforeEach(() => {
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  shown = ['a', 'b', 'c'].map((tag) => ({ tag, close: vi.fn() }));
  const getRegistration = async () => ({ getNotifications: async () => shown });
  vi.stubGlobal('document', page);
  vi.stubGlobal('navigator', { onLine: true, serviceWorker: { getRegistration } });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('only listed results are marked as seen, each once, even when the list is rendered repeatedly', () => {
  const noted = new Set<string>();
  const note = vi.fn();
  noteInSight(['a', 'a', 'b'], noted, note)();
  noteInSight(['c', 'a', 'b'], noted, note)();
  noteInSight(['c', 'a', 'b'], noted, note)();
  noteInSight([], noted, note)();
  expect(note.mock.calls).toEqual([[['a', 'b']], [['c']]]);
});

test('results on a hidden page are marked as seen when it becomes visible', () => {
  const note = vi.fn();
  page.visibilityState = 'hidden';
  const stop = noteInSight(['a'], new Set(), note);
  expect(note).not.toHaveBeenCalled();
  page.visibilityState = 'visible';
  page.dispatchEvent(new Event('visibilitychange'));
  page.dispatchEvent(new Event('visibilitychange'));
  expect(note.mock.calls).toEqual([[['a']]]);
  stop();
});

test('a long list goes to the server in pieces that it takes', () => {
  const note = vi.fn();
  noteInSight(
    Array.from({ length: 250 }, (_, index) => String(index)),
    new Set(),
    note,
  )();
  expect(note.mock.calls.map(([ids]) => ids.length)).toEqual([100, 100, 50]);
});

test('of the system’s notifications those of the noted generations go away', async () => {
  const sent = vi.fn(async (_url: string, { body }: RequestInit) => {
    expect(JSON.parse(String(body))).toEqual({ generationIds: ['a', 'c'] });
    return Response.json({ unseen: 4 });
  });
  vi.stubGlobal('fetch', sent);
  expect(await noteSeen(['a', 'c'])).toBe(4);
  expect(shown.map(({ close }) => close.mock.calls.length)).toEqual([1, 0, 1]);
});

/** A server that refuses these ids as foreign or unknown. Returns the lists that it got. */
function refuse(refused: Record<string, 403 | 404>, unseen: number): string[][] {
  const sent: string[][] = [];
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.stubGlobal('fetch', async (_url: string, { body }: RequestInit) => {
    const { generationIds } = JSON.parse(String(body)) as { generationIds: string[] };
    const status = generationIds.map((id) => refused[id]).find((answer) => answer !== undefined);
    if (!status) {
      sent.push(generationIds);
      return Response.json({ unseen });
    }
    const code = status === 403 ? 'generation_forbidden' : 'generation_not_found';
    return Response.json({ code, message: 'Нет' }, { status });
  });
  return sent;
}

test('an id that the server refuses does not stop the others, and each is reported once', async () => {
  const sent = refuse({ b: 404, e: 403 }, 2);
  expect(await noteSeen(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toBe(2);
  expect(sent.flat().sort()).toEqual(['a', 'c', 'd', 'f', 'g']);
});

test('where all are refused nothing is known of the rest', async () => {
  expect(refuse({ a: 403, b: 404 }, 2)).toEqual([]);
  expect(await noteSeen(['a', 'b'])).toBeNull();
});

test('what fails for another reason is not split', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const sent = vi.fn(async () => Response.json({ code: 'internal', message: 'Ошибка' }, { status: 500 }));
  vi.stubGlobal('fetch', sent);
  await expect(noteSeen(['a', 'b'])).rejects.toMatchObject({ status: 500 });
  expect(sent).toHaveBeenCalledOnce();
});
