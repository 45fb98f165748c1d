import { expect, test } from 'vitest';
import { AccountBusyError } from '#api/fair-pool.ts';
import type { UnrulyEngine } from '#tests/support/unruly-engine.ts';
import { follow, useUnrulyOrders, withEngine } from '#tests/support/unruly-orders.ts';

/** More statements than wait for one account. */
const FLOOD = 400;

const { order } = useUnrulyOrders();

test.runIf(Boolean(process.env.TEST_DATABASE_URL))(
  'the statements of a generation wait for the share of its account',
  async () => {
    const { app, engine, generationId } = await order();
    const floods: Promise<PromiseSettledResult<unknown>[]>[] = [];
    const asking: UnrulyEngine = {
      ...engine,
      submit(submitted) {
        // A lazy query of the client is sent when it is awaited.
        floods.push(Promise.allSettled(Array.from({ length: FLOOD }, async () => app.db.$queryRaw`select 1`)));
        return engine.submit(submitted);
      },
    };
    await follow(withEngine(app, asking), generationId);
    const refused = (await Promise.all(floods)).flat().filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) expect(answer).toMatchObject({ reason: expect.any(AccountBusyError) });
  },
);
