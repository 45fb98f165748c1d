import { expect, test, vi } from 'vitest';
import { registerUnverified, registerVerified } from '#tests/support/people.ts';
import { startManyAtOnce } from '#tests/support/start-many-at-once.ts';
import { type PersonWithPhoto, useVideoHarness } from '#tests/support/video-harness.ts';

const harness = useVideoHarness();
const { balanceOf, finishVideo, letEngineFinish, readyPerson, start, waitForStatus } = harness;

test('the engine gets the motion whose text equals the prompt', async () => {
  const person = await readyPerson();
  const { generationId } = (await start(person, person.imageId, { prompt: 'An orbiting shot of a boot' })).json();
  await vi.waitFor(() => expect(harness.testApp.engine.jobs.get(`fake-${generationId}`)).toBeDefined(), 60_000);
  expect(harness.testApp.engine.jobs.get(`fake-${generationId}`)?.order).toMatchObject({
    preset: 'shoe',
    category: 'обувь',
    durationSeconds: 5,
    cfgScale: 0.5,
    aspectRatio: '3:4',
  });
});

test.each([
  { duration: 7 },
  { duration: '5.5' },
  { duration: null },
  { cfgScale: Number.NaN },
  { cfgScale: 1.1 },
  { cfgScale: '0.5' },
  { preset: 'fly' },
  { aspectRatio: '16:9' },
  { prompt: 'x'.repeat(501) },
  { negativePrompt: 'x'.repeat(501) },
  { negativePrompt: 5 },
])('settings that do not fit are refused before anything is charged: %j', async (settings) => {
  const person = await readyPersonOnce();
  const response = await start(person, person.imageId, settings);
  expect(response.statusCode).toBe(400);
  expect(response.json()).toMatchObject({ code: 'invalid_request', message: expect.stringMatching(/[а-яё]/i) });
  expect(await balanceOf(person)).toBe(2);
});

let shared: Promise<PersonWithPhoto> | undefined;
function readyPersonOnce() {
  shared ??= readyPerson();
  return shared;
}

test.each([undefined, '', 'not-a-uuid', '00000000-0000-7000-8000-000000000000', 5])(
  'an image that is not there is refused: %j',
  async (imageId) => {
    const person = await readyPersonOnce();
    const response = await start(person, imageId as string);
    expect([400, 404]).toContain(response.statusCode);
    expect(await balanceOf(person)).toBe(2);
  },
);

test("another person's image cannot be used", async () => {
  const [owner, stranger] = await Promise.all([readyPerson(), registerVerified(harness.testApp)]);
  const response = await start(stranger, owner.imageId);
  expect(response.statusCode).toBe(403);
  expect(response.json()).toMatchObject({ code: 'photo_forbidden' });
});

test('a start needs a signed-in person with a confirmed e-mail, in this order', async () => {
  const person = await readyPersonOnce();
  expect((await start({ cookie: '' }, 'x', { duration: 7 })).statusCode).toBe(401);
  const unverified = await registerUnverified(harness.testApp);
  const refused = await start(unverified, person.imageId, { duration: 7 });
  expect(refused.statusCode).toBe(403);
  expect(refused.json().code).toBe('email_not_verified');
});

test('a second generation is refused while one is active, with the id of the running one', async () => {
  const person = await readyPerson();
  const { generationId } = (await start(person, person.imageId)).json();
  const second = await start(person, person.imageId);
  expect(second.statusCode).toBe(409);
  expect(second.json()).toMatchObject({ code: 'active_generation', generationId });
  expect(second.json().message).toContain('активная генерация');
  expect(await balanceOf(person)).toBe(1);
});

test('without a star left a start answers 402 and charges nothing', async () => {
  const person = await readyPerson();
  letEngineFinish();
  const { generationId } = (await start(person, person.imageId, { duration: 10 })).json();
  await waitForStatus(person, generationId, 'completed');
  const response = await start(person, person.imageId);
  expect(response.statusCode).toBe(402);
  expect(response.json()).toMatchObject({ code: 'not_enough_stars', message: 'Недостаточно звезд' });
  expect(await balanceOf(person)).toBe(0);
});

test('of 30 parallel starts with one star exactly one is accepted, with one job and one hold', async () => {
  const person = await readyPerson();
  // One of the two gift stars is spent first.
  await finishVideo(person);
  harness.testApp.engine.behave({ say: 'running' });
  const responses = await startManyAtOnce((headers) => start(person, person.imageId, {}, headers));
  const codes = responses.map((response) => response.statusCode);
  expect(codes.filter((code) => code === 200)).toHaveLength(1);
  expect(codes.filter((code) => code !== 200).every((code) => code === 402 || code === 409)).toBe(true);
  const generationId = responses.find((response) => response.statusCode === 200)?.json().generationId;
  const holds = await harness.testApp.app.db.starEntry.findMany({
    where: { accountId: person.account.id, kind: 'hold', generationId },
  });
  expect(holds).toHaveLength(1);
  const { rows } = await harness.testApp.database.pool.query(
    `select count(*)::int as jobs from pgboss.job where name = 'run-generation' and data->>'generationId' = $1`,
    [generationId],
  );
  expect(rows[0].jobs).toBe(1);
  expect(await balanceOf(person)).toBe(0);
  expect(await harness.testApp.app.db.generation.count({ where: { accountId: person.account.id } })).toBe(2);
});

test('the same Idempotency-Key starts one generation, even when it is sent repeatedly', async () => {
  const person = await readyPerson();
  const headers = { 'idempotency-key': 'click-1' };
  const responses = await Promise.all(Array.from({ length: 10 }, () => start(person, person.imageId, {}, headers)));
  expect(new Set(responses.map((response) => response.json().generationId)).size).toBe(1);
  expect(responses.every((response) => response.statusCode === 200)).toBe(true);
  expect(await balanceOf(person)).toBe(1);
  const other = await start(person, person.imageId, { duration: 10 }, headers);
  expect(other.statusCode).toBe(409);
  expect(other.json().code).toBe('idempotency_key_reused');
});
