import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabasePlace } from '#tests/support/database.ts';
import { createFakeTelegram, FAKE_TOKEN, type FakeTelegram } from '#tests/support/fake-telegram.ts';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { parseMetrics } from '#tests/support/read-metrics.ts';
import { type Role, type RunningServer, startServer } from '#tests/support/running-server.ts';
import { TelegramUser } from '#tests/support/telegram-user.ts';

/** Two processes can share a database only on a server. */
const isOnServer = Boolean(process.env.TEST_DATABASE_URL);
const TIMEOUT = { timeout: 60_000, interval: 50 };
/**
 * Some are answered before the change, the others after it. Below the bot's limit of updates in half a minute, with those
 * of joining.
 */
const QUESTIONS = 6;

interface Bot extends RunningServer {
  monitor: string;
}

let place: TestDatabasePlace;
let telegram: FakeTelegram;
let observer: pg.Client;
let running: RunningServer[];

beforeEach(async () => {
  if (!isOnServer) return;
  running = [];
  telegram = await createFakeTelegram();
  place = await createTestDatabase();
  observer = new pg.Client({ connectionString: place.databaseUrl });
  await observer.connect();
});
afterEach(async () => {
  if (!isOnServer) return;
  await Promise.all(running.map((one) => one.kill()));
  await observer.end();
  await telegram.close();
  await place.remove();
});

async function start(role: Role, env: Record<string, string> = {}): Promise<Bot> {
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
  running.push(server);
  return { ...server, monitor: `http://127.0.0.1:${monitorPort}` };
}

async function isActive({ monitor }: Bot): Promise<boolean> {
  const answer = await fetch(`${monitor}/metrics`).catch(() => null);
  return answer !== null && parseMetrics(await answer.text()).sum('podium_bot_active') === 1;
}

const waitUntilActive = (bot: Bot) => vi.waitFor(async () => expect(await isActive(bot)).toBe(true), TIMEOUT);

/** Starts two bots. The first is active, the second waits. */
async function startPair(env: Record<string, string> = {}): Promise<[Bot, Bot]> {
  const first = await start('bot', env);
  await waitUntilActive(first);
  const second = await start('bot', env);
  expect(await isActive(second)).toBe(false);
  return [first, second];
}

/** Asks many questions, and after some answers lets `change` happen. Resolves when all updates are handled. */
async function talkDuring(user: TelegramUser, change: () => Promise<unknown>): Promise<void> {
  const before = user.messages().length;
  for (let question = 0; question < QUESTIONS; question++) user.say('/help');
  await vi.waitFor(() => expect(user.messages().length).toBeGreaterThan(before + 2), TIMEOUT);
  await change();
  await vi.waitFor(async () => expect(await countOpenUpdates()).toBe(0), TIMEOUT);
}

async function countOpenUpdates(): Promise<number> {
  const { rows } = await observer.query<{ open: number }>(
    'select count(*)::int as open from telegram_updates where finished_at is null',
  );
  return telegram.countWaiting() + (rows[0]?.open ?? 0);
}

/** The updates that were answered, by the order of the answers in the chat. */
async function listAnswered(user: TelegramUser): Promise<number[]> {
  const { rows } = await observer.query<{ causeKey: string; messageId: number }>(
    `select cause_key as "causeKey", message_id as "messageId" from telegram_messages
     where chat_id = $1 and message_id is not null order by message_id`,
    [user.id],
  );
  return rows.map(({ causeKey }) => Number(causeKey.split(':')[1]));
}

/** Every update was answered in the order of asking and not twice. A kill may cost the one answer that was on its way. */
async function expectOrder(user: TelegramUser, { mayLack }: { mayLack: number }): Promise<void> {
  const answered = await listAnswered(user);
  expect(answered).toEqual([...new Set(answered)].sort((a, b) => a - b));
  const helps = user.messages().filter(({ text }) => text.startsWith('Как это работает'));
  expect(helps.length).toBeLessThanOrEqual(QUESTIONS);
  expect(helps.length).toBeGreaterThanOrEqual(QUESTIONS - mayLack);
}

const terminateLock = () =>
  observer.query(
    `select pg_terminate_backend(pid) from pg_locks join pg_database on pg_database.oid = database
     where locktype = 'advisory' and objsubid = 2 and datname = current_database()`,
  );

/** Frozen by a signal, a process keeps its connections and says nothing. */
async function freezeUntilReplaced(frozen: Bot, replacement: Bot): Promise<void> {
  frozen.signal('SIGSTOP');
  await waitUntilActive(replacement);
  frozen.signal('SIGCONT');
}

test.runIf(isOnServer).each([
  ['ends', 0, (first: Bot) => first.stop()],
  ['is killed with kill -9', 1, (first: Bot) => first.kill()],
  ['is frozen for so long that another one replaces it', 1, freezeUntilReplaced],
])('when the active bot %s, the waiting one continues the conversation in its order', async (_how, mayLack, change) => {
  const [first, second] = await startPair();
  const anna = new TelegramUser(telegram);
  await anna.join();
  await talkDuring(anna, () => change(first, second));
  await waitUntilActive(second);
  await vi.waitFor(async () => expect(await isActive(first)).toBe(false), TIMEOUT);
  await expectOrder(anna, { mayLack });
});

test.runIf(isOnServer)(
  'a bot that loses its database connection never polls beside the one that takes over',
  async () => {
    const [first, second] = await startPair();
    const boris = new TelegramUser(telegram);
    await boris.join();
    await talkDuring(boris, terminateLock);
    await vi.waitFor(async () => {
      const active = [await isActive(first), await isActive(second)];
      expect(active.filter(Boolean)).toHaveLength(1);
    }, TIMEOUT);
    expect(first.output()).toContain('the lead was lost');
    expect(telegram.conflicts).toBe(0);
    await expectOrder(boris, { mayLack: 0 });
  },
);

test.runIf(isOnServer)(
  'updates that come by webhook are handled in order across a kill, and none is lost',
  async () => {
    const env = { PUBLIC_URL: 'https://localhost', TELEGRAM_UPDATES: 'webhook' };
    const api = await start('api', env);
    telegram.behindWebhook = api.url;
    const [first, second] = await startPair(env);
    const clara = new TelegramUser(telegram);
    await clara.join();
    await talkDuring(clara, () => first.kill());
    await waitUntilActive(second);
    await expectOrder(clara, { mayLack: 1 });
    expect(telegram.calls.filter(({ method }) => method === 'getUpdates')).toEqual([]);
  },
);
