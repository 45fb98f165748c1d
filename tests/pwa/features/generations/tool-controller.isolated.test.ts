import { environmentManager, notifyManager } from '@tanstack/react-query';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createQueryClient } from '#pwa/client/query-client.ts';
import { measureClockSkew } from '#pwa/device/server-clock.ts';
import type { Outcome } from '#pwa/features/generations/followed-generation.ts';
import { ToolController } from '#pwa/features/generations/tool-controller.ts';
import { DEFAULT_VIDEO_FORM, type VideoForm } from '#pwa/features/videos/video-form.ts';
import type { VideoSubject } from '#pwa/features/videos/video-subject.ts';
import { VIDEO_TOOL, type VideoView } from '#pwa/features/videos/video-tool.ts';
import type { GenerationStatus } from '#shared/rules/generation-lifecycle.ts';
import { sampleGeneration, sampleResult } from '#tests/pwa/support/samples.ts';
import { createFakeIndexedDb, storedValues } from '#tests/support/fake-indexed-db.ts';

/** The server's side, as bytes on the wire. */
type WireAnswer = { status: number; body: object } | 'no_network' | 'silence';
interface Call {
  at: number;
  method: string;
  url: string;
  key: string | null;
}

const photo = {
  id: 'p1',
  name: 'palto.jpg',
  width: 1200,
  height: 1600,
  size: 2_500_000,
  type: 'image/jpeg',
  previewUrl: '/media/photos/p1/preview',
  thumbnailUrl: '/media/photos/p1/thumbnail',
};
const request = { photo, form: { ...DEFAULT_VIDEO_FORM, preset: 'walk' as const } };

/** Another one in each test, so that no test finds what the one before it is still writing. */
let userId = 1000;
let recordKey: string;
let calls: Call[];
/** Of `GET`, of a start and of a cancellation; the last one is repeated. */
let answers: { get: WireAnswer[]; start: WireAnswer[]; cancel: WireAnswer[] };
let announced: Outcome['kind'][];
let startFailures: unknown[];
let controller: ToolController<VideoForm, VideoSubject, VideoView>;

const running: WireAnswer = { status: 200, body: view('generating') };
const completed: WireAnswer = { status: 200, body: view('completed') };
const started: WireAnswer = { status: 200, body: { generationId: 'g1', videoId: 'g1' } };

function view(status: GenerationStatus, more: object = {}): object {
  const startedAt = '1970-01-01T00:00:00.000Z';
  const video = sampleResult({ id: 'r1', url: '/api/video-proxy/g1', isWatermarked: true, durationSeconds: 5 });
  return sampleGeneration('video', {
    id: 'g1',
    status,
    createdAt: startedAt,
    photos: [photo],
    settings: { preset: 'walk', duration: 10 },
    progress: { share: null, startedAt, finishedAt: null, expectedSeconds: null, isRemote: false },
    results: status === 'completed' ? [video] : [],
    ...more,
  });
}

async function answerFetch(url: string, { method = 'GET', headers, signal }: RequestInit): Promise<Response> {
  const key = (headers as Record<string, string> | undefined)?.['idempotency-key'] ?? null;
  calls.push({ at: Date.now(), method, url, key });
  const queue = answers[url === '/api/generate' ? 'start' : url.endsWith('/cancel') ? 'cancel' : 'get'];
  const next = queue.length > 1 ? queue.shift() : queue[0];
  if (next === 'silence') {
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  }
  if (next === undefined || next === 'no_network') throw new TypeError('Failed to fetch');
  return new Response(JSON.stringify(next.body), { status: next.status });
}

const askedAt = () => calls.filter(({ url }) => url === '/api/generations/g1').map(({ at }) => at);
const settle = () => vi.advanceTimersByTimeAsync(0);

/** The device's storage answers without the clock. */
async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 1000 && !(await check()); turn += 1) await settle();
  expect(await check()).toBe(true);
}

async function readRecord() {
  const values = await storedValues.read();
  return values.get(recordKey) as { conversionStep: string; pollCount: number } | undefined;
}

/** Nothing is written after that before the next poll. */
async function firstPollIsRecorded(): Promise<boolean> {
  return (await readRecord())?.pollCount === 1;
}

async function openPage(): Promise<void> {
  controller.open();
  await until(() => controller.state.get().isRestored);
}

beforeAll(() => {
  vi.stubGlobal('indexedDB', createFakeIndexedDb());
  notifyManager.setScheduler(queueMicrotask);
  // Without a window the query library takes this for a server, where nothing is asked again.
  environmentManager.setIsServer(() => false);
});
afterAll(() => vi.unstubAllGlobals());
beforeEach(() => {
  userId += 1;
  recordKey = `podium/1/${userId}/activeGeneration`;
  vi.useFakeTimers({ now: 0, toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  vi.stubGlobal('fetch', vi.fn(answerFetch));
  for (const level of ['warn', 'debug', 'info'] as const) vi.spyOn(console, level).mockImplementation(() => undefined);
  calls = [];
  announced = [];
  startFailures = [];
  answers = { get: [running], start: [started], cancel: [] };
  controller = new ToolController({
    userId,
    queryClient: createQueryClient(),
    tool: () => VIDEO_TOOL,
    onPresent: () => undefined,
    onOutcome: ({ kind }) => announced.push(kind),
    onLateResult: () => undefined,
    onChanged: () => undefined,
    onStarted: () => undefined,
    onStartFailed: (error) => startFailures.push(error),
  });
});
afterEach(() => {
  controller.close();
  measureClockSkew(new Date().toUTCString(), Date.parse(new Date().toUTCString()));
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('the following of a generation', () => {
  it('counts another tool’s generation as unknown', async () => {
    await openPage();
    answers.get = [{ status: 200, body: { ...view('generating'), kind: 'photosession' } }];
    controller.show('g1', 'link');
    await settle();
    expect(controller.state.get().followed).toMatchObject({ step: 'critical_error', errors: ['Генерация не найдена'] });
  });

  it('counts a request without an answer for 20 seconds as failed', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const limit = new AbortController();
      setTimeout(() => limit.abort(new DOMException('late', 'TimeoutError')), ms);
      return limit.signal;
    });
    await openPage();
    answers.get = ['silence', running];
    controller.show('g1', 'link');
    await vi.advanceTimersByTimeAsync(30_000);
    expect(askedAt()).toEqual([0, 30_000]);
  });

  it.each([-3, 3])('counts the minutes by the server, with a device %i hours off', async (hours) => {
    await openPage();
    vi.setSystemTime(Date.parse('2026-11-21T12:05:00Z') + hours * 3_600_000);
    const body = view('generating', { createdAt: '2026-11-21T12:00:00.000Z' });
    const headers = { date: new Date('2026-11-21T12:05:00Z').toUTCString() };
    vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), { headers }));
    controller.show('g1', 'link');
    await settle();
    expect(Date.now() - (controller.state.get().followed?.startedAt ?? 0)).toBe(5 * 60_000);
  });

  it('ends with the page: nothing is polled, announced or stored any more', async () => {
    await openPage();
    answers.get = ['silence'];
    controller.show('g1', 'link');
    await until(() => askedAt().length === 1);
    await until(async () => Boolean(await readRecord()));
    const before = [announced.length, await readRecord()];
    controller.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(askedAt()).toHaveLength(1);
    expect([announced.length, await readRecord()]).toEqual(before);
    expect(controller.state.get().followed).toBeNull();
  });
});

describe('the device’s record', () => {
  it('is there while the generation runs and gone when it has ended', async () => {
    await openPage();
    answers.get = [running, completed];
    await controller.start(request);
    await until(async () => (await readRecord())?.conversionStep === 'generating');
    await vi.advanceTimersByTimeAsync(10_000);
    await until(async () => !(await readRecord()));
  });

  it('brings the generation back after a reload, with its photo and its choice', async () => {
    await openPage();
    await controller.start(request);
    await until(firstPollIsRecorded);
    controller.close();
    answers.get = ['no_network'];
    await openPage();
    expect(controller.state.get().followed).toMatchObject({
      generationId: 'g1',
      origin: 'record',
      subject: { photo: { id: 'p1' }, form: { preset: 'walk' } },
    });
    await until(() => askedAt().length === 2);
  });

  it('that means nothing is removed', async () => {
    await storedValues.set(recordKey, 'undefined');
    await openPage();
    expect(controller.state.get().followed).toBeNull();
    expect(await readRecord()).toBeUndefined();
  });

  it('is not written again for somebody who is signed out', async () => {
    await openPage();
    answers.get = [running, { status: 401, body: { code: 'unauthorized', message: 'Войдите' } }];
    await controller.start(request);
    await until(firstPollIsRecorded);
    // The state after a sign-out in another tab.
    await storedValues.delete(recordKey);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(askedAt()).toHaveLength(2);
    expect(await readRecord()).toBeUndefined();
    expect(announced).toEqual([]);
  });
});

describe('the start', () => {
  it('repeated after a lost answer carries the same key, and a new one after an answer', async () => {
    await openPage();
    answers.start = ['no_network', { status: 502, body: {} }, started];
    for (let attempt = 1; attempt <= 3; attempt += 1) await controller.start(request);
    await controller.start(request);
    const keys = calls.filter(({ url }) => url === '/api/generate').map(({ key }) => key);
    expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
    expect(keys[3]).not.toBe(keys[0]);
    expect(startFailures).toHaveLength(2);
    expect(controller.state.get().followed?.generationId).toBe('g1');
  });

  it('of another choice is another intention', async () => {
    await openPage();
    answers.start = ['no_network'];
    await controller.start(request);
    await controller.start({ photo, form: DEFAULT_VIDEO_FORM });
    expect(new Set(calls.map(({ key }) => key)).size).toBe(2);
  });

  it('pressed twice is sent once', async () => {
    await openPage();
    await Promise.all([controller.start(request), controller.start(request)]);
    expect(calls.filter(({ url }) => url === '/api/generate')).toHaveLength(1);
  });

  it('answered after the page was left shows and writes nothing', async () => {
    await openPage();
    const starting = controller.start(request);
    controller.close();
    await starting;
    await settle();
    expect([await readRecord(), announced, controller.state.get().followed]).toEqual([undefined, [], null]);
  });
});

describe('the cancelling', () => {
  it('pressed twice is sent once', async () => {
    await openPage();
    await controller.start(request);
    answers.cancel = [{ status: 200, body: { outcome: 'runs_on', message: 'Идёт дальше' } }];
    await Promise.all([controller.cancel(), controller.cancel()]);
    expect(calls.filter(({ url }) => url.endsWith('/cancel'))).toHaveLength(1);
    expect(controller.state.get().followed?.generationId).toBe('g1');
  });
});
