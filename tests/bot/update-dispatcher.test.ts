import { afterEach, expect, it, vi } from 'vitest';
import type { AppContext } from '#api/services/app-context.ts';
import { startDispatcher, type UpdateHandler } from '#bot/update-dispatcher.ts';
import { Prisma } from '#prisma/generated/client.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

const WAIT = { timeout: 60_000, interval: 50 };

const testApp = useTestApp();
let stop: () => Promise<void> = async () => {};
let updateId = 900;
afterEach(async () => {
  await stop();
  await testApp.app.db.telegramUpdate.deleteMany();
});

/** Lets a handler work on one update that was begun so often before, until it is finished. */
async function handleUpdatesOfChat(
  handle: UpdateHandler['handle'],
  { attempts = 0, app = testApp.app }: { attempts?: number; app?: AppContext } = {},
) {
  const id = ++updateId;
  const apologise = vi.fn(async () => {});
  await testApp.app.db.telegramUpdate.create({ data: { id, chatId: 9_000, body: { update_id: id }, attempts } });
  const ending = new AbortController();
  const close = startDispatcher(app, { handle, apologise }, { ending: ending.signal, isHeld: Prisma.sql`true` });
  stop = () => {
    ending.abort();
    return close();
  };
  const row = await vi.waitFor(async () => {
    const found = await testApp.app.db.telegramUpdate.findUniqueOrThrow({ where: { id } });
    expect(found.finishedAt).not.toBeNull();
    return found;
  }, WAIT);
  return { row, apologise };
}

/** What a lock timeout (55P03), a statement timeout (57014) or a server without free connections (53300) looks like. */
async function fail(code: string): Promise<void> {
  await testApp.app.db.$executeRawUnsafe(`do $$ begin raise exception 'staged' using errcode = '${code}'; end $$`);
}

it.each(['55P03', '57014', '53300'])('a fault of the database (%s) counts as no attempt at an update', async (code) => {
  let failures = 0;
  const { row, apologise } = await handleUpdatesOfChat(async () => {
    if (failures++ < 2) await fail(code);
  });
  expect([row.attempts, failures, apologise.mock.calls.length]).toEqual([1, 3, 0]);
});

it('an update is not given up because the database faults at its last attempt', async () => {
  let failures = 0;
  const { row, apologise } = await handleUpdatesOfChat(
    async () => {
      if (failures++ === 0) await fail('55P03');
    },
    { attempts: 4 },
  );
  expect([row.attempts, failures, apologise.mock.calls.length]).toEqual([5, 2, 0]);
});

it('a fault while the outcome of an update is written repeats the writing and not the update', async () => {
  let faults = 0;
  const db = testApp.app.db.$extends({
    query: {
      telegramUpdate: {
        async updateMany({ args, query }) {
          if (args.data.finishedAt && faults++ < 2) await fail('53300');
          return query(args);
        },
      },
    },
  });
  const handle = vi.fn(async () => {});
  const { row } = await handleUpdatesOfChat(handle, { app: { ...testApp.app, db: db as unknown as AppContext['db'] } });
  expect([row.attempts, faults, handle.mock.calls.length]).toEqual([1, 3, 1]);
});

it('a fault of the program is given up after five attempts, with an apology', async () => {
  const handle = vi.fn(async () => {
    throw new Error('staged');
  });
  const { row, apologise } = await handleUpdatesOfChat(handle, { attempts: 3 });
  expect([row.attempts, handle.mock.calls.length, apologise.mock.calls.length]).toEqual([5, 2, 1]);
});
