import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { GENERATION_KINDS, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import { createStoredPhoto } from '#tests/support/factories.ts';
import { type UserWithPhoto, useToolHarness } from '#tests/support/tool-harness.ts';
import { registerVerified, type TestUser } from '#tests/support/users.ts';

const PRICES: Record<GenerationKind, number> = { video: 1, model_change: 1, photosession: 2, try_on: 1 };
/** Fewer than the forms of one account that may wait, and than the starts of a minute: none is told to try later. */
const CLIENTS = 30;

const harness = useToolHarness();
const { balanceOf, call, countTraces, expectRefusal, readyUser, send, starts, viewOf, waitForStatus } = harness;
beforeAll(() => {
  harness.testApp.engine.abilities.try_on = true;
});

const setAccount = ({ account: { id } }: TestUser, data: object) =>
  harness.testApp.app.db.account.update({ where: { id }, data });
const cancel = (user: UserWithPhoto, id: string) =>
  call(user, { method: 'POST', url: `/api/generations/${id}/cancel` });

/** Every tool has its own word for the id. */
function idOf(answer: LightMyRequestResponse): string {
  expect(answer.statusCode).toBe(200);
  const { generationId, request_id: requestId, sessionId } = answer.json();
  return generationId ?? requestId ?? sessionId;
}

async function countJobs(generationId: string): Promise<number> {
  const { rows } = await harness.testApp.database.pool.query(
    `select count(*)::int as jobs from pgboss.job where name = 'run-generation' and data->>'generationId' = $1`,
    [generationId],
  );
  return rows[0].jobs;
}

test('a video of 10 seconds is started for its own price', async () => {
  const user = await readyUser();
  const agree = (stars: string) =>
    harness.start(user, user.imageId, { duration: 10 }, { 'idempotency-key': 'agreed-1', 'x-agreed-price': stars });
  for (const stars of ['1', '3']) await expectRefusal(agree(stars), 409, 'price_changed');
  expect(await countTraces(user)).toMatchObject({ generations: 0, holds: 0 });
  const id = idOf(await agree('2'));
  expect(await balanceOf(user)).toBe(0);
  expect(idOf(await agree('3'))).toBe(id);
  expect(await countTraces(user)).toMatchObject({ generations: 1, holds: 1 });
});

test.each([
  {
    kind: 'model_change',
    url: '/api/change-model',
    field: 'userImage',
    choice: { modelImageUrl: '/attached_assets/woman/w5.webp' },
  },
  { kind: 'photosession', url: '/api/photosession', field: 'image', choice: {} },
])('the photo of a form is not kept when the stars for $kind are missing', async ({ url, field, choice }) => {
  const user = await registerVerified(harness.testApp);
  await setAccount(user, { starBalance: 0 });
  const parts = Object.entries({ ...choice, [field]: harness.photoPart });
  await expectRefusal(send(user, url, parts), 402, 'not_enough_stars');
  expect(await countTraces(user)).toEqual({ photos: 0, generations: 0, holds: 0 });
});

describe.each(GENERATION_KINDS)('a start of %s', (kind) => {
  const start = starts[kind];
  const price = PRICES[kind];

  test('is made for the price that was agreed to and for no other', async () => {
    const user = await readyUser();
    const agree = (stars: string) => start(user, { 'idempotency-key': 'agreed-1', 'x-agreed-price': stars });
    for (const stars of [price - 1, price + 1]) {
      const { message } = await expectRefusal(agree(String(stars)), 409, 'price_changed');
      expect(message).toBe('Цена изменилась, поэтому ничего не запущено и не списано');
    }
    await expectRefusal(agree('two'), 400, 'invalid_request');
    expect(await countTraces(user)).toMatchObject({ generations: 0, holds: 0 });

    const id = idOf(await agree(String(price)));
    expect(await balanceOf(user)).toBe(2 - price);
    // A repeat of an accepted start is answered, even when the price has changed since.
    expect(idOf(await agree(String(price + 1)))).toBe(id);
    expect(await countTraces(user)).toMatchObject({ generations: 1, holds: 1 });
  });

  test('waits until the changed documents are agreed to, and then is made under the same key', async () => {
    const user = await readyUser();
    await setAccount(user, { consentVersion: '2020-01-01', consentAt: new Date(0) });
    const headers = { 'idempotency-key': 'same' };
    await expectRefusal(start(user, headers), 403, 'consent_required');
    expect(await countTraces(user)).toMatchObject({ generations: 0, holds: 0 });
    expect(await balanceOf(user)).toBe(2);

    const payload = { kind: 'documents', version: DOCUMENTS_VERSION };
    expect((await call(user, { method: 'POST', url: '/api/account/consents', payload })).statusCode).toBe(200);
    idOf(await start(user, headers));
    expect(await countTraces(user)).toMatchObject({ generations: 1, holds: 1 });
  });

  test('is accepted once of 30 at the same time with stars for one, with one job and one hold', async () => {
    const user = await readyUser();
    await setAccount(user, { starBalance: price });
    const keys = Array.from({ length: CLIENTS }, (_, client) => `client-${client}`);
    const answers = await Promise.all(keys.map((key) => start(user, { 'idempotency-key': key })));
    const [accepted, ...others] = answers.filter(({ statusCode }) => statusCode === 200);
    expect(others).toEqual([]);
    expect(answers.every(({ statusCode }) => [200, 402, 409].includes(statusCode))).toBe(true);
    expect(await countTraces(user)).toMatchObject({ generations: 1, holds: 1 });
    expect(await countJobs(idOf(accepted as LightMyRequestResponse))).toBe(1);
    expect(await balanceOf(user)).toBe(0);
  });

  test('is one under its key, however often it is sent, and nothing else starts under that key', async () => {
    const user = await readyUser();
    const headers = { 'idempotency-key': 'click-1' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => start(user, headers)));
    expect(new Set(answers.map(idOf)).size).toBe(1);
    expect(await countTraces(user)).toMatchObject({ generations: 1, holds: 1 });
    expect(await balanceOf(user)).toBe(2 - price);
    const { id: imageId } = await createStoredPhoto(harness.testApp.app, user.account.id);
    await expectRefusal(start({ ...user, imageId }, headers), 409, 'idempotency_key_reused');
  });

  test('is refused while another runs, with the id of that one, and charges nothing', async () => {
    const user = await readyUser();
    await setAccount(user, { starBalance: 10 });
    const id = idOf(await start(user));
    const refused = await expectRefusal(start(user), 409, 'active_generation');
    expect(refused.generationId).toBe(id);
    expect(refused.message).toContain('активная генерация');
    expect(await balanceOf(user)).toBe(10 - price);
    // Other tools do not wait for it.
    for (const other of GENERATION_KINDS.filter((one) => one !== kind)) idOf(await starts[other](user));
  });

  test('is refused without the stars for it, and charges nothing', async () => {
    const user = await readyUser();
    await setAccount(user, { starBalance: price - 1 });
    const { message } = await expectRefusal(start(user), 402, 'not_enough_stars');
    expect(message).toContain('Недостаточно звезд');
    expect(await countTraces(user)).toMatchObject({ generations: 0, holds: 0 });
    expect(await balanceOf(user)).toBe(price - 1);
  });

  test('that fails gives the stars back and says why', async () => {
    const user = await readyUser();
    const failure = { code: 'photo_unsuitable', detail: 'no subject', shouldRetry: false } as const;
    harness.testApp.engine.behave({ say: 'failed', failure });
    const id = idOf(await start(user));
    await waitForStatus(user, id, 'failed');
    expect(await viewOf(user, id)).toMatchObject({
      failure: { code: 'photo_unsuitable', message: expect.stringMatching(/фото/) },
      results: [],
      starsSpent: 0,
    });
    expect(await balanceOf(user)).toBe(2);
    // This outcome is ordinary, so the line is no warning.
    const lines = harness.logLines.filter((line) => line.includes(id) && line.includes('generation failed'));
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(['info']);
  });

  test('that is cancelled gives the stars back, once', async () => {
    const user = await readyUser();
    const id = idOf(await start(user));
    await waitForStatus(user, id, 'generating');
    const answer = await cancel(user, id);
    expect(answer.json()).toEqual({ outcome: 'cancelled', message: 'Генерация отменена, звёзды возвращены' });
    expect(await viewOf(user, id)).toMatchObject({ status: 'failed', failure: { code: 'cancelled' }, starsSpent: 0 });
    expect((await cancel(user, id)).statusCode).toBe(409);
    expect(await balanceOf(user)).toBe(2);
  });
});
