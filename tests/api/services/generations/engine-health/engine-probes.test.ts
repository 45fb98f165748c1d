import { describe, expect, test } from 'vitest';
import { readBooks } from '#api/services/administration/books.ts';
import { probeEngine } from '#api/services/generations/engine-health/engine-probes.ts';
import { UNRULY_PRICE } from '#tests/support/unruly-engine.ts';
import { failing, useUnrulyVideos } from '#tests/support/unruly-videos.ts';
import { until } from '#tests/support/until.ts';

const videos = useUnrulyVideos();
const { make, obstacle } = videos;

describe("the house's own order", () => {
  const probe = () =>
    probeEngine(videos.app, { engine: videos.engine.name, kind: 'video' }, new AbortController().signal);
  const listProbes = () => videos.app.db.engineRun.findMany({ where: { generationId: null } });

  test('is sent when an order of one account has failed', async () => {
    const sent = videos.catchJobs();
    videos.onPoll = failing('engine_error');
    await make();
    expect(sent).toEqual([
      { name: 'follow-generation', payload: { generationId: expect.any(String) } },
      { name: 'probe-engine', payload: { engine: videos.engine.name, kind: 'video' } },
    ]);
  });

  test.each([
    ['engine_error', 'engine_failing'],
    ['engine_misconfigured', 'engine_maintenance'],
  ] as const)('closes the tool when it fails, too: %s', async (code, reason) => {
    videos.onPoll = failing(code);
    await probe();
    expect(await obstacle()).toBe(reason);
  });

  test('closes the tool when the engine refuses it, and nothing when its photo is refused', async () => {
    videos.onPoll = failing('content_refused');
    await probe();
    expect(await obstacle()).toBeNull();
    await videos.app.db.engineRun.deleteMany();
    videos.onSubmit = { say: 'refused', failure: { code: 'engine_misconfigured', detail: '422', shouldRetry: false } };
    await probe();
    expect(await obstacle()).toBe('engine_maintenance');
  });

  test('closes nothing when it is made, stands in the books, and is made once an hour', async () => {
    await probe();
    await probe();
    expect(await obstacle()).toBeNull();
    expect(await listProbes()).toMatchObject([{ status: 'succeeded', costMicros: UNRULY_PRICE.micros }]);
    expect((await readBooks(videos.app)).engines).toMatchObject([{ engine: 'unruly', probes: UNRULY_PRICE.micros }]);
    await videos.app.db.engineRun.updateMany({ data: { createdAt: new Date(Date.now() - 61 * 60_000) } });
    await Promise.all([probe(), probe()]);
    expect(await listProbes()).toHaveLength(2);
  });

  test('is followed on after a crash, and is not made beyond the budget of the day', async () => {
    videos.onPoll = { say: 'crash' };
    const first = new AbortController();
    const following = probeEngine(videos.app, { engine: videos.engine.name, kind: 'video' }, first.signal);
    await until(async () => expect(await listProbes()).toMatchObject([{ status: 'submitted' }]));
    first.abort();
    await expect(following).rejects.toThrow();
    videos.onPoll = { say: 'completed' };
    await probe();
    expect(await listProbes()).toMatchObject([{ status: 'succeeded' }]);
    await videos.app.db.engineRun.deleteMany();
    videos.app.config.engineDailyBudgetMicros = UNRULY_PRICE.micros / 2;
    await probe();
    expect(await listProbes()).toEqual([]);
  });
});
