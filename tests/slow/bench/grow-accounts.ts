import pg from 'pg';
import { DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';

/** Ids of people who register are below these. */
const FIRST_ID = 100_000;

/**
 * Adds the accounts from number `from` to before `to`, each with what an account has after some use: two years of
 * registrations, a finished generation each, sales to one in ten, and whatever else grows with them. Nothing of it is
 * due for a clean-up. Rows are written as a restore does it: without triggers and checks of references.
 */
export async function growAccounts(databaseUrl: string | undefined, from: number, to: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // Filling is not measured. A setting of an extension that is not loaded is only remembered.
    await client.query('set auto_explain.log_min_duration = -1');
    await client.query('set session_replication_role = replica');
    for (const statement of listInserts(from, to)) await client.query(statement);
    await client.query('set session_replication_role = origin');
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

function listInserts(from: number, to: number): string[] {
  // Every nth account has it. The numbers are prime to each other, so that those who have one thing also lack another.
  const each = (nth = 1) =>
    `generate_series(${FIRST_ID + from}, ${FIRST_ID + to - 1}) n${nth === 1 ? '' : ` where n % ${nth} = 0`}`;
  // In the order of their making, as UUIDs of version 7 are.
  const uuid = (table: string) => `('018f0000-0000-7000-8${table}-' || lpad(to_hex(n), 12, '0'))::uuid`;
  const [photo, generation, result, payment] = [uuid('001'), uuid('002'), uuid('003'), uuid('004')];
  const [batch, row] = [uuid('00d'), uuid('00e')];
  // Of the accounts that sort by articles.
  const product = `case when n % 3 = 0 then ${uuid('00f')} end`;
  const since = `now() - (n::bigint * 7919 % 601) * interval '1 day' - interval '1 hour'`;
  const recently = `now() - (n % 300) * interval '1 minute' - interval '1 hour'`;
  const kind = `(array['video', 'video', 'photosession', 'model_change'])[n % 4 + 1]::generation_kind`;
  const pick = (words: string[]) => `(array['${words.join("','")}'])`;
  const first = `${pick(['Анна', 'Мария', 'Ольга', 'Елена', 'Ирина', 'Павел', 'Олег'])}[n % 7 + 1]`;
  const last = `${pick(['Иванова', 'Петрова', 'Ким', 'Соколова', 'Попова', 'Шульга', 'Чен', 'Белых', 'Мороз', 'Зуева', 'Лис'])}[n % 11 + 1]`;
  const email = `substr(md5('e' || n), 1, 7) || n || '@' || ${pick(['mail.ru', 'yandex.ru', 'gmail.com', 'brand.ru'])}[n % 4 + 1]`;
  return [
    `insert into accounts (id, email, email_key, password_hash, username, first_name, last_name, email_verified_at,
                           star_balance, created_at, consent_version)
     select n, ${email}, ${email}, 'x', ${first} || n, ${first}, ${last}, now(), 1, ${since}, '${DOCUMENTS_VERSION}' from ${each()}`,
    `update accounts set deletion_asked_at = now() - interval '40 days', erased_at = now() where id >= ${FIRST_ID + from}
       and id % 97 = 0`,
    `insert into sessions (id, token_hash, account_id, expires_at)
     select ${uuid('005')}, sha256(('s' || n)::bytea), n, now() + interval '20 days' from ${each()}`,
    `insert into email_codes (id, account_id, purpose, mailed_to, code_hash, expires_at)
     select ${uuid('006')}, n, 'verify_email', ${email}, '\\x00', now() from ${each(7)}`,
    `insert into push_subscriptions (id, account_id, session_id, endpoint, p256dh, auth)
     select ${uuid('007')}, n, ${uuid('005')}, 'https://push.example/' || n, 'k', 'a' from ${each(5)}`,
    `insert into limit_counts (key, points, expire)
     select encode(sha256(('l' || n)::bytea), 'hex'), 1, extract(epoch from now() + interval '1 hour') * 1000 from ${each(11)}`,
    `insert into products (id, account_id, article, article_key, created_at)
     select ${uuid('00f')}, n, 'ART-' || n, 'art-' || n, ${since} from ${each(3)}`,
    `insert into photos (id, account_id, name, type, size, width, height, master_key, preview_key, thumbnail_key,
       master_bytes, preview_bytes, thumbnail_bytes, stored_bytes, sent_sha256, product_id, created_at)
     select ${photo}, n, 'photo', 'image/jpeg', 1, 900, 1200, 'photos/' || n || '/' || ${photo} || '/master.jpg',
       'photos/' || n || '/' || ${photo} || '/preview.webp', 'photos/' || n || '/' || ${photo} || '/thumbnail.webp',
       200000, 80000, 20000, 300000, encode(sha256(('f' || n)::bytea), 'hex'), ${product}, ${since} from ${each()}`,
    `insert into batches (id, account_id, kind, name, status, settings, runs, seen_run, created_at, started_at)
     select ${batch}, n, ${kind}, 'Партия', 'open', '{}', 1, 1, ${since}, ${since} from ${each(5)}`,
    `insert into batch_lines (account_id, kind, served_at) select n, ${kind}, ${since} from ${each(5)}`,
    `insert into generations (id, account_id, kind, status, failure_code, settings, stars, request_hash, engine, product_id,
                              batch_id, batch_row_id, created_at, started_at, finished_at)
     select ${generation}, n, ${kind}, (case when n % 10 = 9 then 'failed' else 'completed' end)::generation_status,
       case when n % 10 = 9 then 'engine_error' end,
       case when n % 4 < 2 then '{"duration": 5}'::jsonb else '{}' end, 1, 'x',
       case when n % 3 = 0 then 'fal' else 'local' end, ${product}, case when n % 5 = 0 then ${batch} end,
       case when n % 5 = 0 then ${row} end, ${since}, ${since},
       ${since} + (20 + n % 120) * interval '1 second' + (n::bigint * 7919 % 1000) * interval '1 millisecond'
     from ${each()}`,
    `insert into batch_rows (id, batch_id, position, stage, name, size, photo_id, generation_id, attempts, is_taken,
                             created_at)
     select ${row}, ${batch}, 0, 'started', 'photo.jpg', 1, ${photo}, ${generation}, 1, true, ${since} from ${each(5)}`,
    `insert into generation_inputs (generation_id, position, role, photo_id)
     select ${generation}, 0, 'subject', ${photo} from ${each()}`,
    `insert into results (id, generation_id, account_id, kind, position, original_key, poster_key, thumbnail_key,
                          content_type, bytes, poster_bytes, thumbnail_bytes, width, height, product_id, photo_name, number,
                          started_at, made, deleted_at)
     select ${result}, ${generation}, n, ${kind}, 0, 'o', 'p', 't', 'video/mp4', 1, 1, 1, 900, 1200, ${product}, 'photo', 1,
       ${since}, (${kind})::text, case when n % 13 = 0 then ${recently} end
     from ${each()} where n % 10 <> 9`,
    `insert into result_numbers (account_id, name_key, made, last)
     select n, case when n % 3 = 0 then 'art-' || n else 'photo' end, ${kind}, 1 from ${each()} where n % 10 <> 9`,
    `insert into packs (id, account_id, marketplace, title, product_id, result_ids, template, status, file_name,
                        storage_key, bytes, created_at, finished_at)
     select ${uuid('010')}, n, 'wildberries', 'Товар', ${product}, array[${result}], '{артикул}', 'ready', 'pack.zip',
       'packs/' || n || '/pack.zip', 1000000, now(), now() from ${each(51)}`,
    `insert into setting_sets (id, account_id, kind, name, name_key, settings)
     select ${uuid('011')}, n, ${kind}, 'Лето', 'лето', '{}' from ${each(9)}`,
    `insert into garment_checks (result_id, verdict, checked_at)
     select ${result}, (case when n % 60 = 0 then 'drifted' else 'kept' end)::garment_verdict, ${since}
     from ${each(3)} and n % 10 <> 9`,
    `update results set has_drifted = true from garment_checks where result_id = id and verdict = 'drifted'`,
    `insert into star_entries (account_id, kind, delta, cause_key, created_at)
     select n, 'signup_bonus', 2, 'signup_bonus:' || n, ${since} from ${each()}`,
    `insert into star_entries (account_id, kind, delta, cause_key, generation_id, created_at)
     select n, 'hold', -1, 'hold:' || n, ${generation}, ${since} from ${each()}`,
    `insert into star_entries (account_id, kind, delta, cause_key, generation_id, created_at)
     select n, (case when n % 10 = 9 then 'release' else 'capture' end)::star_entry_kind, (n % 10 = 9)::int,
       'end:' || n, ${generation}, ${since} from ${each()}`,
    `insert into engine_runs (id, generation_id, engine, kind, model, position, reason, status, cost_micros, currency,
                              is_unpaid, created_at, finished_at)
     select ${uuid('008')}, ${generation}, 'fal', ${kind}, 'model', 0, 'first',
       (case when n % 10 = 9 then 'failed' else 'succeeded' end)::engine_run_status, 350000, 'USD', n % 2 = 0, ${since},
       ${since} from ${each(3)}`,
    `insert into notices (id, generation_id, channel, target, sent_at)
     select ${uuid('009')}, ${generation}, 'push', n, now() from ${each(5)}`,
    `insert into payments (id, account_id, status, provider, package_name, stars, amount_minor, provider_payment_id,
                           created_at, paid_at, canceled_at)
     select ${payment}, n, (array['succeeded', 'succeeded', 'canceled'])[n % 3 + 1]::payment_status,
       (array['yookassa', 'telegram_stars'])[n % 2 + 1], 'Показ', 50, 199000, 'p' || n, ${since},
       case when n % 3 < 2 then ${since} end, case when n % 3 = 2 then ${since} end from ${each(7)}`,
    `insert into refunds (id, payment_id, status, amount_minor, stars, stars_taken, reason, finished_at)
     select ${uuid('00a')}, ${payment}, 'succeeded', 1000, 1, 1, 'Проверка', ${since} from ${each(7 * 17)} and n % 3 < 2`,
    `insert into analytics_events (name, account_id, page_location, created_at)
     select (array['video_download', 'buy_stars_click', 'cases_link_clicked'])[s], n, '/app',
       now() - (n::bigint * 7919 % 379) * interval '1 day' from ${each()} , generate_series(1, 3) s`,
    `insert into result_reports (id, result_id, generation_id, account_id, reason, is_urgent, status, decision, closed_at)
     select ${uuid('00b')}, ${result}, ${generation}, n, 'other', false, 'closed', 'no_action', ${since}
     from ${each(200)} and n % 10 <> 9`,
    `insert into interview_requests (id, account_id, name, email, telegram)
     select ${uuid('00c')}, n, 'Анна', 'a@example.com', '@anna' from ${each(100)}`,
    `insert into telegram_users (id, account_id, username, first_name)
     select n, n, 'tg_' || substr(md5('t' || n), 1, 8), ${first} from ${each(6)}`,
    `insert into telegram_updates (id, chat_id, body, finished_at) select n, n, '{}', now() from ${each(6)}`,
    `insert into telegram_messages (cause_key, chat_id, message_id) select 'update:' || n, n, 1 from ${each(6)}`,
    `insert into telegram_orders (generation_id, chat_id, message_id, told_at)
     select ${generation}, n, 1, now() from ${each(6)}`,
    // The queue keeps finished jobs for a week.
    `insert into pgboss.job (name, data, state, completed_on)
     select 'run-generation', '{}', 'completed', now() from ${each(5)}`,
  ];
}
