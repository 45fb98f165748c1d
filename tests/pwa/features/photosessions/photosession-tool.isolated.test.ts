import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createQueryClient } from '#pwa/client/query-client.ts';
import { POLLING } from '#pwa/features/generations/generation-query.ts';
import { ToolController } from '#pwa/features/generations/tool-controller.ts';
import {
  ALL_POSITIONS,
  PHOTOSESSION_TOOL,
  type PhotosessionFrame,
  placeFrames,
} from '#pwa/features/photosessions/photosession-tool.ts';
import { createFakeIndexedDb, storedValues } from '#tests/support/fake-indexed-db.ts';
import { until } from '#tests/support/until.ts';

const USER = 1000;
const KEY = `podium/1/${USER}/activePhotoshootSession`;
const createdAt = '2026-11-21T10:00:00.000Z';
beforeAll(() => vi.stubGlobal('indexedDB', createFakeIndexedDb()));
beforeEach(() => storedValues.clear());

/** The session that a page opened this many minutes later restores. The server does not answer. */
async function restoreAfter(minutes: number) {
  vi.useFakeTimers({ now: Date.parse(createdAt) + minutes * 60_000, toFake: ['Date'] });
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const controller = new ToolController({
    userId: USER,
    queryClient: createQueryClient(),
    tool: () => PHOTOSESSION_TOOL,
    onPresent: () => undefined,
    onOutcome: () => undefined,
    onLateResult: () => undefined,
    onChanged: () => undefined,
    onStarted: () => undefined,
    onStartFailed: () => undefined,
  });
  controller.open();
  await until(() => expect(controller.state.get().isRestored).toBe(true));
  const { followed } = controller.state.get();
  controller.close();
  vi.useRealTimers();
  return followed;
}

describe('the restoring of a photo session', () => {
  const stored = { id: 's1', status: 'processing', title: '', createdAt, photo: null };

  it('takes a running session younger than two hours', async () => {
    await storedValues.set(KEY, stored);
    expect(await restoreAfter(119)).toMatchObject({ generationId: 's1', startedAt: Date.parse(createdAt) });
    expect(await restoreAfter(120)).toBeNull();
  });

  it.each(['completed', 'failed'])('leaves a session that has %s, and removes its record', async (status) => {
    await storedValues.set(KEY, { ...stored, status });
    expect(await restoreAfter(1)).toBeNull();
    expect(await storedValues.read()).toEqual(new Map());
  });

  it('reads back what it has written, with every field of the specification', async () => {
    await storedValues.set(KEY, stored);
    const followed = await restoreAfter(1);
    if (!followed) throw new Error('nothing is followed');
    const written = PHOTOSESSION_TOOL.record.encode(followed, 0);
    expect(written.activePhotoshootSession).toEqual({ ...stored, title: 'Фотосессия' });
    await PHOTOSESSION_TOOL.record.write(USER, written);
    expect(await restoreAfter(1)).toEqual(followed);
  });
});

it('a photo session is asked for every 5 seconds', () => {
  expect(POLLING.photosession).toMatchObject({ pauseMs: 5000, limitMs: Number.POSITIVE_INFINITY });
});

it('what is said of a photo session are the words of the specification', () => {
  const say = (outcome: Parameters<typeof PHOTOSESSION_TOOL.describeOutcome>[0]) =>
    PHOTOSESSION_TOOL.describeOutcome(outcome, null).toast;
  expect(say({ kind: 'resumed' })?.title).toBe('Продолжение генерации');
  expect(say({ kind: 'completed' })?.title).toBe('Фотосессия готова!');
  expect(say({ kind: 'failed', message: 'x' })).toMatchObject({
    title: 'Ошибка генерации',
    description: 'Генерация фотосессии завершилась с ошибкой',
  });
  expect(say({ kind: 'unanswered', failure: { kind: 'network', message: null } })?.title).toBe(
    'Ошибка проверки статуса',
  );
});

describe('the frames of a photo session', () => {
  const frame = (position: number): PhotosessionFrame => ({
    id: `f${position}`,
    url: '/u',
    previewUrl: '/p',
    isWatermarked: false,
    position,
    width: 1200,
    height: 1600,
    durationSeconds: null,
    garmentCheck: null,
    report: null,
  });

  it('stand in their own places, however they come', () => {
    const place = (frames: PhotosessionFrame[], positions: number[]) =>
      placeFrames(frames, positions).map(({ position, image }) => [position, image?.id ?? null]);
    expect(place([frame(3), frame(0)], ALL_POSITIONS).map(([, id]) => id)).toEqual(['f0', null, null, 'f3', null]);
    expect(place([frame(3)], [1, 3])).toEqual([
      [1, null],
      [3, 'f3'],
    ]);
  });
});
