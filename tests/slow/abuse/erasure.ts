import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { createFakeTelegram, FAKE_TOKEN } from '#tests/support/fake-telegram.ts';
import { type RunningServer, Visitor } from '#tests/support/running-server.ts';
import { TelegramChat } from '#tests/support/telegram-chat.ts';
import { type AbuseCase, describeAnswer } from './abuse-fixture.ts';
import { withDatabase } from './own-server.ts';
import { Customer, withPaidEngine } from './paid-engine.ts';

const STEP_MS = 100;
/** Neither the person's id nor the bot's words have it. */
const NAME = 'Аграфена';

interface Place {
  server: RunningServer;
  pool: pg.Pool;
  chat: TelegramChat;
  /** Says something to the bot, and waits until it has answered and has put the update away. */
  say(text: string): Promise<void>;
}

/** A bot with one person, who has only written to it. */
async function withChat(attempt: (place: Place) => Promise<string>): Promise<string> {
  const telegram = await createFakeTelegram();
  const chat = new TelegramChat(telegram);
  Object.assign(chat.from, { first_name: NAME, username: 'agrafena_k' });
  const env = { TELEGRAM_BOT_TOKEN: FAKE_TOKEN, TELEGRAM_API_ROOT: telegram.apiRoot };
  try {
    return await withDatabase(env, ({ server, pool }) => {
      const say = async (text: string) => {
        const before = chat.messages().length;
        chat.say(text);
        await until(async () => {
          const open = await pool.query('select from telegram_updates where finished_at is null');
          return chat.messages().length > before && telegram.countWaiting() === 0 && open.rowCount === 0;
        });
      };
      return attempt({ server, pool, chat, say });
    });
  } finally {
    await telegram.close();
  }
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 600; turn++) {
    if (await isDone()) return;
    await wait(STEP_MS);
  }
  throw new Error('what was waited for has not come');
}

/** The tables in which some row has the text, our own and the queue's. */
async function findTablesWith(pool: pg.Pool, text: string): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await pool.query(`select from ${name} as row where row::text ilike $1 limit 1`, [`%${text}%`]);
    if (rowCount) found.push(name.replace('public.', ''));
  }
  return found.join(' ') || 'nowhere';
}

/** Runs what otherwise runs every hour. */
async function cleanUp(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query(`insert into pgboss.job (name, data) values ('clean-up', '{}') returning id`);
  await until(async () => {
    const { rows: jobs } = await pool.query('select state from pgboss.job where id = $1', [rows[0].id]);
    if (['failed', 'retry'].includes(jobs[0]?.state)) throw new Error('the clean-up has failed');
    return jobs[0]?.state === 'completed';
  });
}

async function countFiles(server: RunningServer, accountId: number): Promise<number> {
  const folder = path.join(server.dataDir, 'files', 'photos', `${accountId}`);
  if (!existsSync(folder)) return 0;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

/** What is kept of people who have gone, or have never come. */
export const ERASURE_CASES: AbuseCase[] = [
  {
    name: '/delete of somebody who has only written to the bot: where their name is kept',
    expected: 'telegram_updates telegram_users, then nowhere',
    try: () =>
      withChat(async ({ pool, say }) => {
        await say('/start');
        const before = await findTablesWith(pool, 'agrafena_k');
        await say('/delete');
        // The update of this command is put away last.
        await until(async () => (await findTablesWith(pool, 'agrafena_k')) === 'nowhere').catch(() => undefined);
        const places = new Set([await findTablesWith(pool, 'agrafena_k'), await findTablesWith(pool, NAME)]);
        return `${before}, then ${[...places].join(' ')}`;
      }),
  },
  {
    name: 'a chat without an account that has been silent for 29 days, and for 31',
    expected: 'agrafena_k, then no name',
    try: () =>
      withChat(async ({ pool, chat, say }) => {
        await say('/start');
        const names: string[] = [];
        for (const days of [29, 31]) {
          const columns = await pool.query(
            `select column_name as name from information_schema.columns
             where table_name = 'telegram_users' and column_name in ('named_at', 'created_at')`,
          );
          for (const { name } of columns.rows) {
            await pool.query(`update telegram_users set ${name} = now() - $1 * interval '1 day'`, [days]);
          }
          await cleanUp(pool);
          const { rows } = await pool.query('select username, first_name from telegram_users where id = $1', [chat.id]);
          names.push(rows[0]?.username ?? (rows[0]?.first_name || 'no name'));
        }
        return names.join(', then ');
      }),
  },
  {
    name: 'a registration that nobody has confirmed, with a photo, after 6 and after 8 days',
    expected: '3 files, 200 with 3 files, 401 unauthorized with 0 files, the address nowhere',
    try: () =>
      withDatabase({}, async ({ server, pool }) => {
        const visitor = new Visitor(server);
        const email = 'mistyped-address@example.com';
        const person = { email, password: 'мокрый-зонтик', consentVersion: DOCUMENTS_VERSION };
        const { id } = await visitor.json<{ id: number }>('POST', '/api/register', person);
        await visitor.uploadPhoto(await drawProductPhoto('garment', { width: 600, height: 800 }));
        const seen = [`${await countFiles(server, id)} files`];
        for (const days of [6, 8]) {
          await pool.query(`update accounts set created_at = now() - $1 * interval '1 day' where id = $2`, [days, id]);
          await cleanUp(pool);
          const answer = await describeAnswer(await visitor.request('GET', '/api/auth/user'));
          seen.push(`${answer} with ${await countFiles(server, id)} files`);
        }
        return `${seen.join(', ')}, the address ${await findTablesWith(pool, 'mistyped-address')}`;
      }),
  },
  {
    name: 'a photo that something running needs, deleted now and afterwards',
    expected: '409 photo_in_use, then 204, and the result without a photo',
    try: () =>
      withPaidEngine(async ({ server, fal }) => {
        const customer = await Customer.enter(server, 'in-use@example.com');
        fal.behave({ fate: { kind: 'running' } });
        const started = (await (await customer.change()).json()) as { request_id: string };
        const remove = async () => describeAnswer(await customer.request('DELETE', `/api/photos/${customer.imageId}`));
        const first = await remove();
        while (fal.countTaken() === 0) await wait(STEP_MS);
        await fal.finish(fal.jobs[0]?.id ?? '');
        await customer.waitForEnd();
        const second = await remove();
        const path = `/api/generations/${started.request_id}`;
        const view = await customer.json<{ status: string; photos: unknown[] }>('GET', path);
        const isResult = view.status === 'completed' && view.photos[0] === null;
        return `${first}, then ${second}, and ${isResult ? 'the result without a photo' : JSON.stringify(view)}`;
      }),
  },
];
