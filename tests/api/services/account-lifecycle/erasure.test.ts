import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { DATA_SECTIONS } from '#api/services/account-lifecycle/export-data.ts';
import { mergeAccounts } from '#api/services/account-lifecycle/merge-accounts.ts';
import { cancelDeletion } from '#api/services/accounts/deletion.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { assignProduct } from '#api/services/gallery/assign-product.ts';
import { removeExpired } from '#api/services/maintenance/clean-up.ts';
import { pickResult } from '#api/services/photos/photos.ts';
import { DELETION_GRACE_MS, UNCONFIRMED_KEPT_MS } from '#shared/rules/retention.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import {
  createAccount,
  createGeneration,
  createImageResult,
  createPayment,
  keepPhoto,
  subjectOf,
} from '#tests/support/factories.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import {
  newEmail,
  nextAddress,
  PASSWORD,
  readCode,
  registerAndConfirm,
  registerUnverified,
  registerVerified,
} from '#tests/support/users.ts';

const testApp = useTestApp();
let app: AppContext;
beforeAll(async () => {
  app = testApp.app;
});

const longAgo = () => new Date(Date.now() - DELETION_GRACE_MS - 1000);
const letDeletionBeDue = (accountId: number, deletionAskedAt = longAgo()) =>
  app.db.account.update({ where: { id: accountId }, data: { deletionAskedAt } });

async function listKeys(accountId: number): Promise<string[]> {
  const keys: string[] = [];
  for (const kind of ['photos', 'results']) {
    for await (const { key } of app.storage.list(`${kind}/${accountId}/`)) keys.push(key);
  }
  return keys;
}

async function createUser({ email = newEmail() } = {}) {
  const user = await registerAndConfirm(testApp, { email });
  const accountId = user.account.id;
  await keepPhoto(app, accountId, await drawJpeg(400, 500), 'моё.jpg');
  const used = await keepPhoto(app, accountId, await drawJpeg(400, 500), 'моё.jpg');
  const image = await createImageResult(app, accountId);
  const { generationId, id: resultId } = image;
  await pickResult(app.db, image);
  await assignProduct(app, accountId, { article: `ART-${accountId}`, photoIds: [], itemIds: [resultId] });
  const { id: batchId } = await app.db.batch.create({
    data: {
      id: randomUUID(),
      accountId,
      kind: 'video',
      name: 'секрет',
      settings: {},
      status: 'running',
      rows: { create: { id: randomUUID(), position: 0, stage: 'waiting', name: 'секрет', photoId: used.id } },
    },
  });
  await app.db.batchLine.create({ data: { accountId, kind: 'video', isOpen: true } });
  const packNames = { title: 'Партия', template: '{№}', fileName: 'pack.zip' };
  await app.db.pack.create({ data: { id: randomUUID(), accountId, marketplace: 'ozon', resultIds: [], ...packNames } });
  const report = { accountId, generationId, resultId, reason: 'other' as const, isUrgent: false, comment: 'секрет' };
  const closed = { status: 'closed', decision: 'no_action', answer: 'секрет', closedAt: new Date() } as const;
  await app.db.resultReport.createMany({ data: [report, { ...report, ...closed }] });
  await app.db.generation.update({
    where: { id: generationId },
    data: { settings: { prompt: 'секрет' }, idempotencyKey: 'key' },
  });
  await app.db.generationInput.create({ data: { ...subjectOf(used), generationId, position: 1 } });
  await app.db.starEntry.create({
    data: { accountId, kind: 'capture', delta: 0, causeKey: `capture:${generationId}`, generationId },
  });
  await app.storage.put(`results/${accountId}/${generationId}/9/left-behind.jpg`, Buffer.from('orphan'), 'image/jpeg');
  const set = { accountId, kind: 'video' as const, settings: {} };
  await app.db.settingSet.create({ data: { ...set, name: 'секрет', nameKey: 'секрет' } });
  await createPayment(app.db, accountId);
  const payment = await app.db.payment.findFirstOrThrow({ where: { accountId } });
  await app.db.refund.create({
    data: { paymentId: payment.id, amountMinor: 100, stars: 1, starsTaken: 0, reason: 'просьба' },
  });
  await app.db.account.update({ where: { id: accountId }, data: { interviewInvitedAt: new Date() } });
  await app.db.interviewRequest.create({ data: { accountId, name: 'Анна', email, telegram: '@anna' } });
  await app.db.analyticsEvent.create({ data: { name: 'video_download', accountId, pageLocation: '/app' } });
  await app.db.notice.create({ data: { generationId, channel: 'mail', target: String(accountId) } });
  const session = await app.db.session.findFirstOrThrow({ where: { accountId } });
  await app.db.pushSubscription.create({
    data: { accountId, sessionId: session.id, endpoint: `https://push.example/${accountId}`, p256dh: 'k', auth: 'a' },
  });
  const telegramId = BigInt(900_000 + accountId);
  await app.db.telegramUser.create({
    data: { id: telegramId, accountId, username: 'anna', firstName: 'Анна', giftAt: new Date(), termsVersion: '1' },
  });
  await app.db.telegramUpdate.create({ data: { id: telegramId, chatId: telegramId, body: { text: 'секрет' } } });
  await app.db.telegramMessage.create({ data: { causeKey: `update:${telegramId}:0`, chatId: telegramId } });
  await app.db.telegramOrder.create({ data: { generationId, chatId: telegramId, messageId: 1 } });
  await app.db.telegramBatch.create({ data: { batchId, chatId: telegramId, collectsUntil: new Date() } });
  await app.db.linkToken.create({ data: { tokenHash: Buffer.alloc(32, accountId), accountId, expiresAt: new Date() } });
  await app.db.secondFactor.create({ data: { accountId, secret: Buffer.alloc(48) } });
  await app.db.auditEntry.create({ data: { action: 'stars_corrected', accountId, adminId: 3, details: { delta: 1 } } });
  return { user, accountId, generationId, telegramId };
}

async function countTelegramRows(telegramId: bigint) {
  const of = { where: { chatId: telegramId } };
  return {
    updates: await app.db.telegramUpdate.count(of),
    messages: await app.db.telegramMessage.count(of),
    orders: await app.db.telegramOrder.count(of),
    batches: await app.db.telegramBatch.count(of),
  };
}

/** Counts what is left of an account, by table. */
async function countRows(accountId: number) {
  const of = { where: { accountId } };
  return {
    sessions: await app.db.session.count(of),
    codes: await app.db.emailCode.count(of),
    pushSubscriptions: await app.db.pushSubscription.count(of),
    interviews: await app.db.interviewRequest.count(of),
    analytics: await app.db.analyticsEvent.count(of),
    results: await app.db.result.count(of),
    settingSets: await app.db.settingSet.count(of),
    linkTokens: await app.db.linkToken.count(of),
    secondFactors: await app.db.secondFactor.count(of),
    telegramUsers: await app.db.telegramUser.count(of),
    notices: await app.db.notice.count({ where: { generation: { accountId } } }),
    photos: await app.db.photo.count(of),
    inputs: await app.db.generationInput.count({ where: { generation: of.where } }),
    generations: await app.db.generation.count(of),
    starEntries: await app.db.starEntry.count(of),
    payments: await app.db.payment.count(of),
    refunds: await app.db.refund.count({ where: { payment: { accountId } } }),
  };
}

const ERASED = {
  sessions: 0,
  codes: 0,
  pushSubscriptions: 0,
  interviews: 0,
  analytics: 0,
  results: 0,
  settingSets: 0,
  notices: 0,
  linkTokens: 0,
  secondFactors: 0,
  telegramUsers: 0,
  photos: 0,
  inputs: 0,
  generations: 1,
  starEntries: 2,
  payments: 1,
  refunds: 1,
};

describe('an account whose deletion was asked 30 days ago', () => {
  it('loses its personal data and its files; the books stay', async () => {
    const { user, accountId, generationId, telegramId } = await createUser();
    await letDeletionBeDue(accountId);
    await removeExpired(app);

    const account = await app.db.account.findUniqueOrThrow({ where: { id: accountId } });
    expect(account.erasedAt).not.toBeNull();
    expect(JSON.stringify(account)).not.toContain(user.email.split('@')[0]);
    expect(account).toMatchObject({
      username: 'Удалённый аккаунт',
      passwordHash: 'erased',
      starBalance: 2,
      interviewInvitedAt: null,
    });
    expect(await countRows(accountId)).toEqual(ERASED);
    expect(await listKeys(accountId)).toEqual([]);
    expect(await app.db.resultReport.findMany({ where: { accountId } })).toMatchObject([
      { resultId: null, decision: 'no_action', comment: null, answer: null },
    ]);
    expect(await app.db.generation.findUnique({ where: { id: generationId } })).toMatchObject({
      settings: {},
      idempotencyKey: null,
    });
    expect(await app.db.telegramUser.findUnique({ where: { id: telegramId } })).toMatchObject({
      username: null,
      firstName: '',
      termsVersion: null,
      giftAt: expect.any(Date),
    });
    expect(await countTelegramRows(telegramId)).toEqual({ updates: 0, messages: 0, orders: 0, batches: 0 });
    const signIn = await testApp.server.inject({
      method: 'POST',
      url: '/api/login',
      remoteAddress: nextAddress(),
      payload: { email: user.email, password: PASSWORD },
    });
    expect(signIn.statusCode).toBe(401);
  });

  it('is finished by the next run when the first one was killed on the way', async () => {
    const { accountId } = await createUser();
    await letDeletionBeDue(accountId);
    let removed = 0;
    const dying = {
      ...app,
      storage: {
        ...app.storage,
        async remove(key: string) {
          if (++removed > 2) throw new Error('killed');
          await app.storage.remove(key);
        },
      },
    };
    await removeExpired(dying);
    const halfway = await app.db.account.findUniqueOrThrow({ where: { id: accountId } });
    expect([halfway.erasedAt, (await listKeys(accountId)).length > 0]).toEqual([null, true]);
    await expect(cancelDeletion(app, accountId)).rejects.toMatchObject({ code: 'unauthorized' });

    await removeExpired(app);
    const finished = await app.db.account.findUniqueOrThrow({ where: { id: accountId } });
    expect([finished.emailKey, await listKeys(accountId)]).toEqual([halfway.emailKey, []]);
    expect(await countRows(accountId)).toEqual(ERASED);
    await removeExpired(app);
    expect(await app.db.account.findUniqueOrThrow({ where: { id: accountId } })).toEqual(finished);
  });

  it('takes along the files and the name of an account that was merged into it', async () => {
    const { accountId } = await createUser();
    const merged = await createAccount(app);
    await app.db.account.update({ where: { id: merged.id }, data: { mergedIntoId: accountId, username: 'anna' } });
    await app.storage.put(`photos/${merged.id}/${randomUUID()}/master.jpg`, Buffer.from('photo'), 'image/jpeg');
    await letDeletionBeDue(accountId);
    await removeExpired(app);
    expect(await listKeys(merged.id)).toEqual([]);
    expect((await app.db.account.findUniqueOrThrow({ where: { id: merged.id } })).username).toBe('Удалённый аккаунт');
  });

  it('keeps its files when it was merged: they belong to the other account', async () => {
    const [merged, into] = [await createAccount(app), await createAccount(app)];
    const photo = await keepPhoto(app, merged.id, await drawJpeg(400, 500));
    await app.db.$transaction((tx) => mergeAccounts(app, tx, { fromId: merged.id, intoId: into.id }));
    await letDeletionBeDue(merged.id);
    await removeExpired(app);
    expect(await listKeys(merged.id)).toHaveLength(3);
    expect(await app.db.photo.findUnique({ where: { id: photo.id } })).toMatchObject({ accountId: into.id });

    await letDeletionBeDue(into.id);
    await removeExpired(app);
    expect(await listKeys(merged.id)).toEqual([]);
  });

  it('has a generation that still runs ended, and its stars given back', async () => {
    const { accountId } = await createUser();
    const running = await createGeneration(app, accountId, 'video', 'generating');
    await letDeletionBeDue(accountId);
    await removeExpired(app);
    expect(await app.db.generation.findUnique({ where: { id: running } })).toMatchObject({
      status: 'failed',
      failureCode: 'cancelled',
    });
    expect(await app.db.starEntry.count({ where: { causeKey: `release:${running}` } })).toBe(1);
  });

  it('does not hold up another when it cannot be erased', async () => {
    const [first, second] = [await createUser(), await createUser()];
    for (const { accountId } of [first, second]) await letDeletionBeDue(accountId);
    const broken = {
      ...app,
      storage: {
        ...app.storage,
        remove: (key: string) =>
          key.includes(`/${first.accountId}/`) ? Promise.reject(new Error('broken')) : app.storage.remove(key),
      },
    };
    await removeExpired(broken);
    expect(await countRows(second.accountId)).toEqual(ERASED);
    await removeExpired(app);
    expect(await countRows(first.accountId)).toEqual(ERASED);
  });
});

describe('an account that has never confirmed its e-mail', () => {
  const makeOld = (id: number) =>
    app.db.account.update({ where: { id }, data: { createdAt: new Date(Date.now() - UNCONFIRMED_KEPT_MS - 1000) } });

  it('gets no photo whose upload was under way when it was removed', async () => {
    const { id } = (await registerUnverified(testApp)).account;
    await makeOld(id);
    await removeExpired(app);
    await expect(keepPhoto(app, id, await drawJpeg(400, 500))).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await listKeys(id)).toEqual([]);
    expect(await app.db.photo.count({ where: { accountId: id } })).toBe(0);
  });

  it('is removed with its photos after a week; a younger one and a confirmed one stay', async () => {
    const [old, young] = [await registerUnverified(testApp), await registerUnverified(testApp)];
    const confirmed = await registerVerified(testApp);
    for (const { account } of [old, young, confirmed]) {
      await keepPhoto(app, account.id, await drawJpeg(400, 500));
    }
    await makeOld(old.account.id);
    await makeOld(confirmed.account.id);
    await removeExpired(app);
    expect(await listKeys(old.account.id)).toEqual([]);
    const removed = await app.db.account.findUniqueOrThrow({ where: { id: old.account.id } });
    expect(JSON.stringify(removed)).not.toContain(old.email.split('@')[0]);
    expect(removed.erasedAt).not.toBeNull();
    for (const { account } of [young, confirmed]) {
      expect(await listKeys(account.id)).toHaveLength(3);
      expect((await app.db.account.findUniqueOrThrow({ where: { id: account.id } })).erasedAt).toBeNull();
    }
    // The address is free again.
    await registerUnverified(testApp, { email: old.email });
  });
});

describe('a photo whose upload was under way when its account was merged', () => {
  /** Merges an account into another one, and `then` follows. A photo comes to its end that was sent before. */
  async function mergeMeanwhile(then: (intoId: number) => Promise<unknown>) {
    const [from, into] = [await createAccount(app), await createAccount(app)];
    await app.db.$transaction((tx) => mergeAccounts(app, tx, { fromId: from.id, intoId: into.id }));
    await then(into.id);
    return { from, into, received: keepPhoto(app, from.id, await drawJpeg(400, 500)) };
  }

  it('belongs to the other one, and goes with that', async () => {
    const { from, into, received } = await mergeMeanwhile(async () => {});
    expect(await received).toMatchObject({ accountId: into.id });
    await letDeletionBeDue(into.id);
    await removeExpired(app);
    expect(await app.db.photo.count({ where: { accountId: { in: [from.id, into.id] } } })).toBe(0);
    expect([...(await listKeys(from.id)), ...(await listKeys(into.id))]).toEqual([]);
  });

  it('is refused where the other one is about to be deleted', async () => {
    const askForDeletion = (id: number) => letDeletionBeDue(id, new Date());
    const { from, into, received } = await mergeMeanwhile(askForDeletion);
    await expect(received).rejects.toMatchObject({ code: 'deletion_asked' });
    expect([...(await listKeys(from.id)), ...(await listKeys(into.id))]).toEqual([]);
  });

  it('is refused where the other one was erased', async () => {
    const { from, into, received } = await mergeMeanwhile(async (id) => {
      await letDeletionBeDue(id);
      await removeExpired(app);
    });
    await expect(received).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await app.db.photo.count({ where: { accountId: { in: [from.id, into.id] } } })).toBe(0);
    expect(await listKeys(from.id)).toEqual([]);
  });
});

describe('an account stays', () => {
  it('until the 30 days are over', async () => {
    const { accountId } = await createUser();
    await letDeletionBeDue(accountId, new Date(Date.now() - DELETION_GRACE_MS + 60_000));
    const before = await countRows(accountId);
    await removeExpired(app);
    expect(await countRows(accountId)).toEqual(before);
  });

  it('when the request was withdrawn', async () => {
    const { accountId } = await createUser();
    await letDeletionBeDue(accountId);
    await cancelDeletion(app, accountId);
    const before = await countRows(accountId);
    await removeExpired(app);
    expect(await countRows(accountId)).toEqual(before);
  });
});

describe('the address of an erased account', () => {
  it('can be registered again, without a second present', async () => {
    const { user, accountId } = await createUser();
    await letDeletionBeDue(accountId);
    await removeExpired(app);
    const again = await registerVerified(testApp, { email: user.email.toUpperCase() });
    expect(again.account).toMatchObject({ isEmailVerified: true });
    expect(again.account.id).not.toBe(accountId);
    expect(await app.db.account.findUnique({ where: { id: again.account.id } })).toMatchObject({ starBalance: 0 });

    await letDeletionBeDue(again.account.id);
    await removeExpired(app);
    const third = await registerVerified(testApp, { email: user.email });
    expect(await app.db.account.findUnique({ where: { id: third.account.id } })).toMatchObject({ starBalance: 0 });
  });

  it('gets the present when it has not had it', async () => {
    const user = await registerUnverified(testApp);
    await letDeletionBeDue(user.account.id);
    await removeExpired(app);
    const again = await registerVerified(testApp, { email: user.email });
    expect(await app.db.account.findUnique({ where: { id: again.account.id } })).toMatchObject({ starBalance: 2 });
    expect(await readCode(testApp, user.email)).toMatch(/^[A-Z0-9]{6}$/);
  });
});

/**
 * What becomes of the rows of each table with an account: which part of the export has them, whether the erasure removes
 * them, and whether a merge gives them to the account that stays. A new table belongs into createUser, too, after it
 * was handled in api/services/account-lifecycle: erasure.ts, export-data.ts and merge-accounts.ts.
 */
const TABLES: Record<string, { exported: string | null; erased: boolean; moves: boolean }> = {
  analytics_events: { exported: 'analytics', erased: true, moves: true },
  audit_entries: { exported: 'administration', erased: false, moves: false },
  // The place of an account in the line. It says nothing that the batches do not.
  batch_lines: { exported: null, erased: true, moves: true },
  batches: { exported: 'batches', erased: true, moves: true },
  email_codes: { exported: 'mailed-codes', erased: true, moves: false },
  generations: { exported: 'generations', erased: false, moves: true },
  interview_requests: { exported: 'interview', erased: true, moves: false },
  // They give access.
  link_tokens: { exported: null, erased: true, moves: false },
  // They hold the results once more, for a week.
  packs: { exported: null, erased: true, moves: true },
  payments: { exported: 'payments', erased: false, moves: true },
  photos: { exported: 'photos', erased: true, moves: true },
  // A table of its own in the export, for Excel.
  products: { exported: null, erased: true, moves: true },
  push_subscriptions: { exported: 'push-devices', erased: true, moves: false },
  // They say no more than the names of the results.
  result_numbers: { exported: null, erased: true, moves: true },
  // The erasure removes the open ones.
  result_reports: { exported: 'reports', erased: false, moves: true },
  results: { exported: 'results', erased: true, moves: true },
  second_factors: { exported: 'second-factor', erased: true, moves: false },
  sessions: { exported: 'sessions', erased: true, moves: false },
  setting_sets: { exported: 'setting-sets', erased: true, moves: true },
  star_entries: { exported: 'stars', erased: false, moves: false },
  // The link has moved it before.
  telegram_users: { exported: 'telegram', erased: true, moves: false },
};

describe('every table with an account', () => {
  const namesOf = (is: (table: string) => boolean) => Object.keys(TABLES).filter(is);

  /** The tables that have rows of the account. */
  async function listFilled(accountId: number): Promise<string[]> {
    const { pool } = testApp.database;
    const { rows: tables } = await pool.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name = 'account_id' ORDER BY table_name`,
    );
    expect(tables.map(({ name }) => name)).toEqual(Object.keys(TABLES));
    const filled: string[] = [];
    for (const { name } of tables) {
      const { rowCount } = await pool.query(`SELECT FROM "${name}" WHERE account_id = $1 LIMIT 1`, [accountId]);
      if (rowCount === 1) filled.push(name);
    }
    return filled;
  }

  it('is in the export, unless it gives access', async () => {
    const { accountId } = await createUser();
    const parts: string[] = [];
    for (const { name, read } of DATA_SECTIONS) {
      for await (const _record of read(app.db, accountId)) {
        parts.push(name);
        break;
      }
    }
    expect(parts).toEqual(expect.arrayContaining(Object.values(TABLES).flatMap(({ exported }) => exported ?? [])));
  });

  it('is emptied by the erasure, unless the books need it', async () => {
    const { accountId } = await createUser();
    expect(await listFilled(accountId)).toEqual(Object.keys(TABLES));
    await letDeletionBeDue(accountId);
    await removeExpired(app);
    expect(await listFilled(accountId)).toEqual(namesOf((table) => !TABLES[table]?.erased));
  });

  it('moves with a merge, unless it belongs to the sign-in, the ledger or the audit', async () => {
    const { accountId } = await createUser();
    const { id: intoId } = await createAccount(app, { isVerified: true });
    await app.db.$transaction((tx) => mergeAccounts(app, tx, { fromId: accountId, intoId }));
    expect(await listFilled(accountId)).toEqual(namesOf((table) => !TABLES[table]?.moves));
    expect(await listFilled(intoId)).toEqual(expect.arrayContaining(namesOf((table) => TABLES[table]?.moves === true)));
  });
});
