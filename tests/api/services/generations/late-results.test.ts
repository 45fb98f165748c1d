import { afterEach, describe, expect, test, vi } from 'vitest';
import type { JobPrice } from '#api/adapters/generation-engines/generation-engine.ts';
import { StorageFullError } from '#api/adapters/storage/object-storage.ts';
import { failOverdueGenerations } from '#api/services/generations/running/outcome.ts';
import { runGeneration } from '#api/services/generations/running/run-generation.ts';
import { GENERATION_TIMEOUT_MS } from '#shared/rules/generation-lifecycle.ts';
import { type PollEvent, UNRULY_PRICE, type UnrulyEngine, withEngine } from '#tests/support/unruly-engine.ts';
import { follow, listRuns, useUnrulyOrders } from '#tests/support/unruly-orders.ts';

const { order } = useUnrulyOrders();
// A second try of a test begins with a storage that works.
afterEach(() => void vi.restoreAllMocks());

describe('a job that still runs when its generation has timed out', () => {
  /** A job that was submitted 31 minutes ago and runs until `end`. */
  async function hang(price: JobPrice | null) {
    let polls = 0;
    let event: PollEvent = { say: 'running' };
    const nextPoll = (): PollEvent => {
      polls++;
      return event;
    };
    const end = () => {
      event = { say: 'completed' };
    };
    const { app, engine, generationId } = await order({ nextPoll });
    const stopped: string[] = [];
    const hanging: UnrulyEngine = {
      ...engine,
      priceOf: () => price,
      async cancel({ id }) {
        stopped.push(id);
        return 'cancelled';
      },
    };
    const context = withEngine(app, hanging);
    const stop = new AbortController();
    const following = runGeneration(context, generationId, stop.signal);
    await expect.poll(() => app.db.engineRun.count({ where: { status: 'submitted' } }), { timeout: 60_000 }).toBe(1);
    const longAgo = new Date(Date.now() - GENERATION_TIMEOUT_MS - 60_000);
    await app.db.engineRun.updateMany({ where: { generationId }, data: { submittedAt: longAgo } });
    await app.db.generation.update({ where: { id: generationId }, data: { createdAt: longAgo } });
    await failOverdueGenerations(context);
    return { app: context, engine: hanging, generationId, polls: () => polls, end, stopped, stop, following };
  }

  test('is stopped where it costs nothing, and its place is free', async () => {
    const { app, generationId, stopped, following } = await hang(null);
    await following;
    expect(stopped).toHaveLength(1);
    expect(await listRuns(app, generationId)).toEqual([{ status: 'cancelled', reason: 'first', costMicros: 0 }]);
  });

  test('is awaited where it is paid for', async () => {
    const { polls, stopped, stop, following } = await hang(UNRULY_PRICE);
    const before = polls();
    await expect.poll(polls, { timeout: 60_000 }).toBeGreaterThan(before + 2);
    expect(stopped).toEqual([]);
    stop.abort(new Error('the process stops'));
    await expect(following).rejects.toThrow();
  });

  test('has a result that waits for space on a full disk, with pauses between the attempts', async () => {
    const { app, engine, generationId, end, stop, following } = await hang(UNRULY_PRICE);
    const [full, answered] = [vi.spyOn(app.storage, 'put'), vi.spyOn(engine, 'poll')];
    full.mockImplementation(async () => {
      // The pause after the first attempt outlasts the test. One set earlier could delay the attempt itself.
      Object.assign(engine, { pollIntervalMs: 60_000 });
      throw new StorageFullError('test');
    });
    end();
    // Processes that leave the processor to others prepare the result first. With a dozen busy sessions that took 83 s.
    await vi.waitFor(() => expect(full).toHaveBeenCalled(), 60_000);
    const before = answered.mock.calls.length;
    for (let query = 0; query < 100; query++) await app.db.$queryRaw`select 1`;
    expect(answered.mock.calls.length).toBe(before);
    stop.abort(new Error('the process stops'));
    await expect(following).rejects.toThrow();
    full.mockRestore();
    await follow(app, generationId);
    expect(await app.db.generation.findUniqueOrThrow({ where: { id: generationId } })).toMatchObject({
      status: 'completed',
      failureCode: null,
    });
  });
});
