import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabasePlace } from '#tests/support/database.ts';
import { createFakeTelegram, FAKE_TOKEN, type FakeTelegram } from '#tests/support/fake-telegram.ts';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { parseMetrics } from '#tests/support/read-metrics.ts';
import { type Role, type RunningServer, startServer } from '#tests/support/running-server.ts';
import { TelegramUser } from '#tests/support/telegram-user.ts';

/** Two processes can share a database only on a server. */
const isOnServer = Boolean(process.env.TEST_DATABASE_URL);
const TIMEOUT = { timeout: 60_000, interval: 100 };
/** For what must be seen while it lasts. */
const QUICK_LOOKS = { timeout: 60_000, interval: 20 };
/**
 * Some are answered before the change, the others after it. Below the bot's limit of updates in half a minute, with those
 * of joining.
 */
const QUESTIONS = 6;

interface Bot extends RunningServer {
  monitor: string;
}

/** What the bots of a test share. */
interface Fixture {
  place: TestDatabasePlace;
  telegram: FakeTelegram;
  observer: pg.Client;
  /** Those that run. */
  bots: Bot[];
}

let fixture: Fixture;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  if (isOnServer) fixture = await openFixture();
});
// The next test must not meet what a failed one has left behind.
afterEach(async ({ task }) => {
  if (isOnServer && task.result?.state === 'fail') await Promise.all(fixture.bots.splice(0).map((bot) => bot.kill()));
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

async function openFixture(): Promise<Fixture> {
  const place = await createTestDatabase();
  const telegram = await createFakeTelegram();
  const observer = new pg.Client({ connectionString: place.databaseUrl });
  await observer.connect();
  const bots: Bot[] = [];
  closers.push(async () => {
    await Promise.all(bots.map((bot) => bot.kill()));
    await observer.end();
    await telegram.close();
    await place.remove();
  });
  return { place, telegram, observer, bots };
}

async function start(
  { place, telegram, bots }: Fixture,
  role: Role = 'bot',
  env: Record<string, string> = {},
): Promise<Bot> {
  const monitorPort = await findFreePort();
  const server = await startServer({
    ...place,
    roles: [role],
    env: {
      TELEGRAM_BOT_TOKEN: FAKE_TOKEN,
      TELEGRAM_API_ROOT: telegram.apiRoot,
      TELEGRAM_WEBHOOK_SECRET: 'a-secret-that-only-telegram-knows',
      MONITOR_PORT: String(monitorPort),
      ...env,
    },
  });
  const bot = { ...server, monitor: `http://127.0.0.1:${monitorPort}` };
  bots.push(bot);
  return bot;
}

async function end({ bots }: Fixture, bot: Bot, how: 'stop' | 'kill'): Promise<void> {
  bots.splice(bots.indexOf(bot), 1);
  await bot[how]();
}

async function isActive({ monitor }: Bot): Promise<boolean> {
  const answer = await fetch(`${monitor}/metrics`).catch(() => null);
  return answer !== null && parseMetrics(await answer.text()).sum('podium_bot_active') === 1;
}

const waitUntilActive = (bot: Bot) => vi.waitFor(async () => expect(await isActive(bot)).toBe(true), TIMEOUT);

/** The one that is active, and one that waits. Those of an earlier test go on, and what is missing is started. */
async function findPair(): Promise<[Bot, Bot]> {
  if (fixture.bots.length === 0) await start(fixture);
  const active = await vi.waitFor(async () => {
    const found = await findActive(fixture);
    expect(found).toHaveLength(1);
    return found[0] as Bot;
  }, TIMEOUT);
  const waiting = fixture.bots.find((bot) => bot !== active) ?? (await start(fixture));
  expect(await isActive(waiting)).toBe(false);
  return [active, waiting];
}

async function findActive({ bots }: Fixture): Promise<Bot[]> {
  const states = await Promise.all(bots.map(isActive));
  return bots.filter((_, index) => states[index]);
}

/** Asks many questions, and after some answers lets `change` happen. Resolves when all updates are handled. */
async function talkDuring(used: Fixture, user: TelegramUser, change: () => Promise<unknown>): Promise<void> {
  const before = user.messages().length;
  for (let question = 0; question < QUESTIONS; question++) user.say('/help');
  await vi.waitFor(() => expect(user.messages().length).toBeGreaterThan(before + 2), QUICK_LOOKS);
  await change();
  await vi.waitFor(async () => expect(await countOpenUpdates(used)).toBe(0), TIMEOUT);
}

async function countOpenUpdates({ observer, telegram }: Fixture): Promise<number> {
  const { rows } = await observer.query<{ open: number }>(
    'select count(*)::int as open from telegram_updates where finished_at is null',
  );
  return telegram.countWaiting() + (rows[0]?.open ?? 0);
}

/** The updates that were answered, by the order of the answers in the chat. */
async function listAnswered({ observer }: Fixture, user: TelegramUser): Promise<number[]> {
  const { rows } = await observer.query<{ causeKey: string; messageId: number }>(
    `select cause_key as "causeKey", message_id as "messageId" from telegram_messages
     where chat_id = $1 and message_id is not null order by message_id`,
    [user.id],
  );
  return rows.map(({ causeKey }) => Number(causeKey.split(':')[1]));
}

/** Every update was answered in the order of asking and not twice. A kill may cost the one answer that was on its way. */
async function expectOrder(used: Fixture, user: TelegramUser, { mayLack }: { mayLack: number }): Promise<void> {
  const answered = await listAnswered(used, user);
  expect(answered).toEqual([...new Set(answered)].sort((a, b) => a - b));
  const helps = user.messages().filter(({ text }) => text.startsWith('Как это работает'));
  expect(helps.length).toBeLessThanOrEqual(QUESTIONS);
  expect(helps.length).toBeGreaterThanOrEqual(QUESTIONS - mayLack);
}

const terminateLock = () =>
  fixture.observer.query(
    `select pg_terminate_backend(pid) from pg_locks join pg_database on pg_database.oid = database
     where locktype = 'advisory' and objsubid = 2 and datname = current_database()`,
  );

/** Frozen by a signal, a process keeps its connections and says nothing. */
async function freezeUntilReplaced(frozen: Bot, replacement: Bot): Promise<void> {
  frozen.signal('SIGSTOP');
  try {
    await waitUntilActive(replacement);
  } finally {
    frozen.signal('SIGCONT');
  }
}

test.runIf(isOnServer).each([
  ['ends', 0, (first: Bot) => end(fixture, first, 'stop')],
  ['is killed with kill -9', 1, (first: Bot) => end(fixture, first, 'kill')],
  ['is frozen for so long that another one replaces it', 1, freezeUntilReplaced],
])('when the active bot %s, the waiting one continues the conversation in its order', async (_how, mayLack, change) => {
  const [first, second] = await findPair();
  const anna = new TelegramUser(fixture.telegram);
  await anna.join();
  await talkDuring(fixture, anna, () => change(first, second));
  await waitUntilActive(second);
  await vi.waitFor(async () => expect(await isActive(first)).toBe(false), TIMEOUT);
  await expectOrder(fixture, anna, { mayLack });
});

test.runIf(isOnServer)(
  'a bot that loses its database connection never polls beside the one that takes over',
  async () => {
    const [first] = await findPair();
    const [printed, conflicts] = [first.output().length, fixture.telegram.conflicts];
    const boris = new TelegramUser(fixture.telegram);
    await boris.join();
    await talkDuring(fixture, boris, terminateLock);
    await vi.waitFor(async () => expect(await findActive(fixture)).toHaveLength(1), TIMEOUT);
    expect(first.output().slice(printed)).toContain('the lead was lost');
    expect(fixture.telegram.conflicts).toBe(conflicts);
    await expectOrder(fixture, boris, { mayLack: 0 });
  },
);

test.runIf(isOnServer)(
  'updates that come by webhook are handled in order across a kill, and none is lost',
  async () => {
    const env = { PUBLIC_URL: 'https://localhost', TELEGRAM_UPDATES: 'webhook' };
    const apart = await openFixture();
    apart.telegram.behindWebhook = (await start(apart, 'api', env)).url;
    const first = await start(apart, 'bot', env);
    await waitUntilActive(first);
    const second = await start(apart, 'bot', env);
    expect(await isActive(second)).toBe(false);
    const clara = new TelegramUser(apart.telegram);
    await clara.join();
    await talkDuring(apart, clara, () => end(apart, first, 'kill'));
    await waitUntilActive(second);
    await expectOrder(apart, clara, { mayLack: 1 });
    expect(apart.telegram.calls.filter(({ method }) => method === 'getUpdates')).toEqual([]);
  },
);
