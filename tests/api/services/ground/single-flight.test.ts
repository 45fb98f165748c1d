import { expect, test } from 'vitest';
import { SingleFlight, TrailingSingleFlight } from '#api/services/ground/single-flight.ts';

/** Creates work whose runs end only when the test ends them. */
function createWork() {
  const runs: PromiseWithResolvers<void>[] = [];
  const work = () => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  };
  return { runs, work };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('many calls make two runs: that of the first call, and one that begins after all have come', async () => {
  const [runs, { runs: made, work }] = [new TrailingSingleFlight(), createWork()];
  const calls = Array.from({ length: 100 }, () => runs.run('key', work));
  await settle();
  expect(made).toHaveLength(1);
  made[0]?.resolve();
  expect(await calls[0]).toEqual({ isShared: false });
  await settle();
  expect(made).toHaveLength(2);
  made[1]?.resolve();
  const shared = (await Promise.all(calls)).filter(({ isShared }) => isShared);
  expect(shared).toHaveLength(98);
});

test('a failure reaches only the callers of that run, and the next run goes on', async () => {
  const [runs, { runs: made, work }] = [new TrailingSingleFlight(), createWork()];
  const first = runs.run('key', work);
  const second = runs.run('key', work);
  made[0]?.reject(new Error('unreachable'));
  await expect(first).rejects.toThrow('unreachable');
  await settle();
  made[1]?.resolve();
  expect(await second).toEqual({ isShared: false });
});

test('other keys do not wait, and a call after the end starts a new run', async () => {
  const [runs, { runs: made, work }] = [new TrailingSingleFlight(), createWork()];
  const calls = [runs.run('a', work), runs.run('b', work)];
  expect(made).toHaveLength(2);
  for (const run of made) run.resolve();
  await Promise.all(calls);
  const again = runs.run('a', work);
  expect(made).toHaveLength(3);
  made[2]?.resolve();
  expect(await again).toEqual({ isShared: false });
});

test('a single-flight is shared by all who come while it is under way', async () => {
  const [flights, { runs: made, work }] = [new SingleFlight(), createWork()];
  const calls = [flights.run('a', work), flights.run('a', work), flights.run('b', work)];
  expect(made).toHaveLength(2);
  made[0]?.reject(new Error('unreachable'));
  made[1]?.resolve();
  const ends = await Promise.allSettled(calls);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  const again = flights.run('a', work);
  expect(made).toHaveLength(3);
  made[2]?.resolve();
  await again;
});
