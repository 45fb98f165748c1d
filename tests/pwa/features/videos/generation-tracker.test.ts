import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGenerationTracker, type GenerationTracker } from '#pwa/features/videos/generation-tracker.ts';
import { beginTracking } from '#pwa/features/videos/tracking.ts';
import { DEFAULT_VIDEO_FORM } from '#pwa/features/videos/video-form.ts';

/** The server's side of GET /api/status, as bytes on the wire. */
type WireAnswer = { status: number; body: object } | 'no_network' | 'silence';

const subject = { photo: null, thumbnailUrl: null, form: DEFAULT_VIDEO_FORM };
let answers: WireAnswer[];
let askedAtMs: number[];
let tracker: GenerationTracker;

const running: WireAnswer = { status: 200, body: state('generating') };

function state(status: string, more: object = {}): object {
  const progress = { share: null, startedAt: '2026-11-21T12:00:00.000Z', finishedAt: null, expectedSeconds: null };
  return { status, videoUrl: null, videoId: null, error: null, message: null, code: null, progress, ...more };
}

async function answerFetch(url: string, { signal }: RequestInit): Promise<Response> {
  expect(url).toBe('/api/status?generationId=g1');
  askedAtMs.push(Date.now());
  const next = answers.length > 1 ? answers.shift() : answers[0];
  if (next === 'silence') {
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  }
  if (next === undefined || next === 'no_network') throw new TypeError('Failed to fetch');
  return new Response(JSON.stringify(next.body), { status: next.status });
}

function follow(): void {
  tracker.follow(beginTracking({ generationId: 'g1', subject, startedAt: Date.now() }, Date.now()));
}

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  vi.stubGlobal('fetch', vi.fn(answerFetch));
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  answers = [running];
  askedAtMs = [];
  tracker = createGenerationTracker();
});
afterEach(() => {
  tracker.forget();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('the tracker of a generation', () => {
  it('asks at once and then every 10 seconds', async () => {
    follow();
    await vi.advanceTimersByTimeAsync(30_500);
    expect(askedAtMs).toEqual([0, 10_000, 20_000, 30_000]);
  });

  it('stops asking when the video is ready', async () => {
    answers = [running, { status: 200, body: state('completed', { videoUrl: '/api/video-proxy/g1', videoId: 'g1' }) }];
    follow();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(askedAtMs).toHaveLength(2);
    expect(tracker.get()).toMatchObject({ step: 'completed', videoUrl: '/api/video-proxy/g1' });
  });

  it('backs off while there is no answer and gives up after five', async () => {
    answers = ['no_network'];
    follow();
    await vi.advanceTimersByTimeAsync(300_000);
    expect(askedAtMs).toEqual([0, 10_000, 25_000, 47_500, 77_500]);
    expect(tracker.get()).toMatchObject({ step: 'error', errors: expect.arrayContaining(['Ошибка опроса статуса']) });
  });

  it('shows the server’s own words on 503 and asks again', async () => {
    answers = [{ status: 503, body: { code: 'unavailable', message: 'Идут работы' } }, running];
    follow();
    await vi.advanceTimersByTimeAsync(0);
    expect(tracker.get()?.errors).toEqual(['Идут работы']);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(tracker.get()).toMatchObject({ step: 'generating', errors: [] });
  });

  it('does not ask again about a generation that is not there', async () => {
    answers = [{ status: 404, body: { code: 'generation_not_found', message: 'Генерация не найдена' } }];
    follow();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(askedAtMs).toHaveLength(1);
    expect(tracker.get()?.step).toBe('critical_error');
  });

  it('counts a request without an answer for 20 seconds as failed', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new DOMException('late', 'TimeoutError')), ms);
      return controller.signal;
    });
    answers = ['silence', running];
    follow();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(askedAtMs).toEqual([0, 30_000]);
  });

  it('asks nothing without a network and at once when it returns', async () => {
    follow();
    await vi.advanceTimersByTimeAsync(0);
    tracker.setOnline(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(askedAtMs).toEqual([0]);
    tracker.setOnline(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(askedAtMs).toEqual([0, 60_000]);
  });

  it('asks when the tab comes back, but not twice within two seconds', async () => {
    follow();
    await vi.advanceTimersByTimeAsync(5000);
    tracker.refresh();
    tracker.refresh();
    await vi.advanceTimersByTimeAsync(500);
    tracker.refresh();
    await vi.advanceTimersByTimeAsync(500);
    expect(askedAtMs).toEqual([0, 5000]);
  });

  it('does not shorten the pauses after failures when the tab comes back', async () => {
    answers = ['no_network'];
    follow();
    await vi.advanceTimersByTimeAsync(5000);
    tracker.refresh();
    await vi.advanceTimersByTimeAsync(0);
    expect(askedAtMs).toEqual([0]);
  });

  it('drops the answer about a generation that is not followed any more', async () => {
    follow();
    tracker.forget();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(tracker.get()).toBeNull();
    expect(askedAtMs.length).toBeLessThanOrEqual(1);
  });
});
