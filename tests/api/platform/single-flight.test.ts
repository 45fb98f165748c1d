import { expect, test } from 'vitest';
import { SingleFlight } from '#api/platform/single-flight.ts';

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
