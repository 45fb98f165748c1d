import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startJobs } from '#api/jobs/start-jobs.ts';
import { noteFailedProbe, noteFailure, noteSuccess } from '#api/services/generations/engine-health/engine-outages.ts';
import { createAccount, createEngineRun, createGeneration } from '#tests/support/factories.ts';
import { finishJobs } from '#tests/support/finish-jobs.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { readMails } from '#tests/support/users.ts';

const OPERATOR = 'operator@example.com';
const FAL = { name: 'fal', photosTravel: 'abroad' } as const;
const UNFUNDED = { code: 'engine_unfunded', detail: 'exhausted <balance>' } as const;

let testApp: TestApp;
let read = 0;

beforeAll(async () => {
  testApp = await createTestApp({ env: { OPERATOR_EMAIL: OPERATOR } });
  await startJobs(testApp.app);
});
afterEach(async () => {
  await testApp.app.db.engineOutage.deleteMany();
  await testApp.app.db.engineRun.deleteMany();
  await testApp.database.pool.query("DELETE FROM pgboss.job WHERE name = 'send-outage-mail'");
});
afterAll(() => testApp.close());

const fail = () => noteFailure(testApp.app, FAL, 'video', UNFUNDED);
const succeed = () => noteSuccess(testApp.app, FAL, 'video', new Date());

/** Mails to the operator that have come since the last call. */
async function listNewMails() {
  await finishJobs(testApp.database.pool, ['send-outage-mail']);
  const mails = await readMails(testApp, OPERATOR);
  const fresh = mails.slice(read);
  read = mails.length;
  return fresh;
}

/** Lets the time pass that an engine has to work before the operator is told so. */
async function passSteadyTime(): Promise<void> {
  const { pool } = testApp.database;
  await pool.query("UPDATE pgboss.job SET start_after = now() WHERE name = 'send-outage-mail'");
  await pool.query(
    "UPDATE engine_outages SET opened_at = opened_at - interval '1 hour', closed_at = closed_at - interval '1 hour'",
  );
}

test('an outage is mailed to the operator once, with its cause, its tools and what to do', async () => {
  await Promise.all([fail(), fail(), fail()]);
  await fail();
  const mails = await listNewMails();
  expect(mails.map(({ subject }) => subject)).toEqual(['Движок fal не принимает заказы — «Подиум»']);
  expect(mails[0]?.text).toContain('Закончились деньги у провайдера');
  expect(mails[0]?.text).toMatch(/Движок: fal\. Инструмент: все\./);
  expect(mails[0]?.text).toContain('Пополните баланс');
  expect(mails[0]?.text).toContain('Ответ движка: exhausted <balance>');
  expect(mails[0]?.text).toContain('/dashboard/analytics?tab=engines');
  expect(mails[0]?.html).toContain('exhausted &#60;balance&#62;');
});

test('a wrong setting closes and names only its tool', async () => {
  await noteFailedProbe(testApp.app, FAL, 'video', { code: 'engine_misconfigured', detail: 'no such model' });
  const [mail] = await listNewMails();
  expect(mail?.text).toContain('Инструмент: Видео.');
  expect(mail?.text).toContain('Проверьте ключ доступа');
});

test('jobs that fail one after another are mailed as one outage', async () => {
  const { app } = testApp;
  for (let made = 0; made < 8; made++) {
    const { id } = await createAccount(app);
    const failed = { engine: 'fal', status: 'failed', failureCode: 'engine_error' } as const;
    const generationId = await createGeneration(app, id, 'video');
    await app.db.generation.update({ where: { id: generationId }, data: { engine: 'fal' } });
    await createEngineRun(app, generationId, failed);
    await noteFailure(app, FAL, 'video', { code: 'engine_error', detail: 'HTTP 500' });
  }
  const mails = await listNewMails();
  expect(mails.map(({ text }) => text?.includes('Задания не получаются одно за другим'))).toEqual([true]);
});

test('its end is mailed once, after the engine has worked for a while', async () => {
  await fail();
  await listNewMails();
  await succeed();
  await succeed();
  expect(await listNewMails()).toEqual([]);
  await passSteadyTime();
  const mails = await listNewMails();
  expect(mails.map(({ subject }) => subject)).toEqual(['Движок fal снова принимает заказы — «Подиум»']);
  expect(mails[0]?.text).toContain('закончились деньги у провайдера');
});

test('an engine that fails again soon is one outage, whose end is mailed once', async () => {
  for (let times = 0; times < 3; times++) {
    await fail();
    await succeed();
  }
  expect(await listNewMails()).toHaveLength(1);
  await passSteadyTime();
  const ended = await listNewMails();
  expect(ended.map(({ subject }) => subject)).toEqual(['Движок fal снова принимает заказы — «Подиум»']);
  await fail();
  expect(await listNewMails()).toHaveLength(1);
});

test('an outage that ended while no mail was taken is mailed by its end alone', async () => {
  const { app, database } = testApp;
  const send = vi.spyOn(app.mailer, 'send').mockRejectedValue(new Error('the mail server is away'));
  await fail();
  await vi.waitFor(async () => {
    const { rows } = await database.pool.query("SELECT state FROM pgboss.job WHERE name = 'send-outage-mail'");
    expect(rows).toEqual([{ state: 'retry' }]);
  }, 60_000);
  await succeed();
  send.mockRestore();
  await passSteadyTime();
  const mails = await listNewMails();
  expect(mails.map(({ subject }) => subject)).toEqual(['Движок fal снова принимает заказы — «Подиум»']);
});

test('an outage whose mail cannot be ordered is not open either, so that the next failure tells of it', async () => {
  const { app } = testApp;
  const send = () => Promise.reject(new Error('the queue is away'));
  await expect(noteFailure({ ...app, queue: { ...app.queue, send } }, FAL, 'video', UNFUNDED)).rejects.toThrow('away');
  expect(await app.db.engineOutage.count()).toBe(0);
  await fail();
  expect(await listNewMails()).toHaveLength(1);
});

test('an engine on this server mails nothing', async () => {
  await noteFailure(testApp.app, { name: 'local', photosTravel: 'nowhere' }, 'video', UNFUNDED);
  expect(await testApp.app.db.engineOutage.count()).toBe(0);
  expect(await listNewMails()).toEqual([]);
});
