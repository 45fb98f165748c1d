/**
 * Compares the time of page 250 of a gallery of 10,000 images with that of its first page, at 40 images a page, on
 * PostgreSQL. The account also has videos, which must not be scanned, and other accounts have more results.
 */
import { pino } from 'pino';
import { type Db, openDatabase } from '#api/database/database.ts';
import { presentPremium } from '#api/services/core/premium-status.ts';
import { listGallery } from '#api/services/gallery/gallery.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { createAccount, createGeneration } from '#tests/support/factories.ts';
import { startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { alternate, median, reportFigure } from './figures.ts';

const BUDGET = 1.3;
const IMAGES = 10_000;
const VIDEOS = 3_000;
const IMAGES_OF_OTHERS = 20_000;
const PAGE_SIZE = 40;
const PAGE = 250;
const ROUNDS = 7;
const READINGS = 50;

const server = await startPrivatePostgres();
process.env.TEST_DATABASE_URL = server.url;
const place = await createTestDatabase();
const database = await openDatabase(place, pino({ level: 'silent' }));
const { db } = database;
try {
  const account = await createAccount({ db });
  await createRows(db, account.id, 'photosession', IMAGES / 2);
  await createRows(db, account.id, 'model_change', IMAGES / 2);
  await createRows(db, account.id, 'video', VIDEOS);
  await createRows(db, (await createAccount({ db })).id, 'photosession', IMAGES_OF_OTHERS);
  await database.pool.query('ANALYZE results');

  const app = { db, catalogue: { backgrounds: [] } };
  const caller = { id: account.id, premium: presentPremium(0) };
  const read = (cursor?: string) => listGallery(app, caller, { cursor, limit: PAGE_SIZE, sort: 'newest' });
  const cursor = await findCursor(read);
  const { values, floorValues } = await alternate(ROUNDS, {
    figure: () => measure(() => read(cursor)),
    floor: () => measure(() => read()),
  });
  reportFigure({
    what: `page ${PAGE} of a gallery of ${IMAGES}`,
    unit: 'ms',
    values,
    floor: { what: 'its first page', values: floorValues },
    budget: { atMost: BUDGET },
  });
} finally {
  await database.close();
  await place.remove();
  await server.stop();
}

/** Creates results of every kind with ids spread over the same time, as after years of use. */
async function createRows(
  db: Db,
  accountId: number,
  kind: 'photosession' | 'model_change' | 'video',
  count: number,
): Promise<void> {
  const generationId = await createGeneration({ db }, accountId, kind);
  await db.$executeRaw`
    insert into results (id, generation_id, account_id, kind, position, original_key, poster_key, thumbnail_key,
                         content_type, bytes, poster_bytes, thumbnail_bytes, width, height, photo_name, number,
                         started_at, made)
    select (lpad(to_hex(1700000000000 + n * 1000000000 / ${count}::bigint), 12, '0')
             || '7' || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid,
           ${generationId}::uuid, ${accountId}, ${kind}::generation_kind, n, 'original', 'poster', 'thumbnail',
           'image/jpeg', 400000, 1, 1, 1200, 1600, 'Платье', n, now(), ${kind}
    from generate_series(1, ${count}::bigint) n`;
}

/** Walks to the page as a person would, and returns its cursor. */
async function findCursor(read: (cursor?: string) => ReturnType<typeof listGallery>): Promise<string> {
  let cursor: string | undefined;
  for (let page = 1; page < PAGE; page++) {
    const { nextCursor } = await read(cursor);
    if (!nextCursor) throw new Error(`the gallery ends at page ${page}`);
    cursor = nextCursor;
  }
  const last = await read(cursor);
  if (!cursor || last.images.length !== PAGE_SIZE || last.nextCursor) throw new Error('page 250 is not the last one');
  return cursor;
}

/** Time of one reading, in milliseconds: the median of many. */
async function measure(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < READINGS; index++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}
