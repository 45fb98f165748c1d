import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeFollowed } from '#pwa/features/generations/followed-generation.ts';
import { POLLING } from '#pwa/features/generations/generation-query.ts';
import {
  ALL_POSITIONS,
  PHOTOSESSION_TOOL,
  type PhotosessionFrame,
  placeFrames,
} from '#pwa/features/photosessions/photosession-tool.ts';
import { PHOTO, sampleResult } from '#tests/pwa/support/samples.ts';
import { createFakeIndexedDb, storedValues } from '#tests/support/fake-indexed-db.ts';

const USER = 1000;
const KEY = `podium/1/${USER}/activePhotoshootSession`;
const createdAt = '2026-11-21T10:00:00.000Z';
beforeAll(() => vi.stubGlobal('indexedDB', createFakeIndexedDb()));
beforeEach(() => storedValues.clear());

describe('the restoring of a photo session', () => {
  const stored = { id: 's1', status: 'processing', title: 'Фотосессия', createdAt, photo: PHOTO };
  const seed = { generationId: 's1', startedAt: Date.parse(createdAt), subject: { photo: PHOTO } };
  const { record, policy } = PHOTOSESSION_TOOL;

  it('takes a running session younger than two hours', async () => {
    await storedValues.set(KEY, stored);
    expect(await record.read(USER)).toEqual(seed);
    expect(policy.restoreMs).toBe(2 * 60 * 60_000);
  });

  it.each(['completed', 'failed'])('leaves a session that has %s, and removes its record', async (status) => {
    await storedValues.set(KEY, { ...stored, status });
    expect(await record.read(USER)).toBeNull();
    expect(await storedValues.read()).toEqual(new Map());
  });

  it('reads back what it has written, with every field of the specification', async () => {
    const watch = { ...seed, origin: 'start', since: Date.parse(createdAt), pollsBefore: 0 } as const;
    const written = record.encode(describeFollowed(PHOTOSESSION_TOOL, watch, null), 0);
    expect(written.activePhotoshootSession).toEqual(stored);
    await record.write(USER, written);
    expect(await record.read(USER)).toEqual(seed);
  });
});

it('a photo session is asked for every 5 seconds', () => {
  expect(POLLING.photosession).toMatchObject({ pauseMs: 5000, limitMs: Number.POSITIVE_INFINITY });
});

it('a failure of a photo session is told in fixed words, whatever the server says', () => {
  const { toast } = PHOTOSESSION_TOOL.describeOutcome({ kind: 'failed', message: 'x' }, null);
  expect(toast?.description).toBe('Генерация фотосессии завершилась с ошибкой');
});

describe('the frames of a photo session', () => {
  const frame = (position: number) => sampleResult({ id: `f${position}`, position });

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
