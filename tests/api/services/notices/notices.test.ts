import { expect, test, vi } from 'vitest';
import { NOTICE_LIFETIME_MS } from '#api/services/notices/channel.ts';
import { sendNotice } from '#api/services/notices/notices.ts';
import { pushMessage } from '#shared/contract/push-message.ts';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { resultPath } from '#shared/rules/result-links.ts';
import { useNoticeHarness } from '#tests/support/notice-harness.ts';
import { readMails, type TestUser } from '#tests/support/users.ts';

const harness = useNoticeHarness();

async function sendAll(generationId: string, app = harness.testApp.app): Promise<void> {
  for (const { id } of await harness.noticesOf(generationId)) await sendNotice(app, id);
}

async function allowMails(user: TestUser): Promise<void> {
  await harness.testApp.app.db.account.update({ where: { id: user.account.id }, data: { mailsResults: true } });
}

async function resultMails(user: TestUser) {
  const mails = await readMails(harness.testApp, user.email);
  return mails.filter(({ text }) => text?.includes('?generation='));
}

async function countJobs(): Promise<number> {
  const { rows } = await harness.testApp.database.pool.query(
    `SELECT count(*)::int AS jobs FROM pgboss.job WHERE name = 'send-notice'`,
  );
  return rows[0].jobs;
}

test.each(GENERATION_KINDS.flatMap((kind) => [[kind, 'completed'] as const, [kind, 'failed'] as const]))(
  'a %s that has %s is announced to a subscribed browser, with a link to it',
  async (kind, outcome) => {
    const { user, endpoint } = await harness.signUpWithBrowser();
    const jobs = await countJobs();
    const id = await harness.finish(user, kind, outcome);
    expect(await countJobs()).toBe(jobs + 1);
    await sendAll(id);
    const [shown, ...more] = harness.shownAt(endpoint);
    expect(more).toEqual([]);
    const { notification, app_badge } = pushMessage.parse(shown);
    expect(notification.tag).toBe(id);
    expect(notification.navigate).toBe(`${harness.testApp.app.config.publicUrl}${resultPath(kind, id)}`);
    expect(notification.title).toMatch(outcome === 'completed' ? /готов/ : /не получил/);
    expect(notification.body).toMatch(outcome === 'completed' ? /Откройте/ : /Звёзды вернулись/);
    expect(app_badge).toBe(1);
  },
);

test('every browser of the account is notified once, even when the notice is processed repeatedly', async () => {
  const user = await harness.signUp();
  const endpoints = [await harness.subscribe(user), await harness.subscribe(user)];
  const id = await harness.finish(user);
  await sendAll(id);
  await sendAll(id);
  for (const endpoint of endpoints) expect(harness.shownAt(endpoint)).toHaveLength(1);
  expect((await harness.noticesOf(id)).every(({ sentAt }) => sentAt !== null)).toBe(true);
});

test('a late result after the time-out is not announced to a person who was notified of the failure', async () => {
  const { user, endpoint } = await harness.signUpWithBrowser();
  const { app } = harness.testApp;
  const id = await harness.finish(user, 'video', 'failed');
  await sendAll(id);
  const late = await app.db.generation.update({ where: { id }, data: { failureCode: 'timed_out' } });
  const { completeGeneration } = await import('#api/services/generations/running/outcome.ts');
  await completeGeneration(app, late, []);
  await sendAll(id);
  expect(harness.shownAt(endpoint)).toHaveLength(1);
});

test('a person who cancelled is not notified', async () => {
  const user = await harness.signUp();
  await harness.subscribe(user);
  await allowMails(user);
  const id = await harness.finish(user, 'video', 'cancelled');
  expect(await harness.noticesOf(id)).toEqual([]);
  const { unseen } = (await harness.call(user, 'GET', '/api/notifications/unseen')).json();
  expect(unseen).toBe(0);
});

test('an end that the page did not show is announced, whatever else it showed', async () => {
  const { user, endpoint } = await harness.signUpWithBrowser();
  const [shown, hidden] = [await harness.finish(user, 'photosession'), await harness.finish(user, 'video', 'failed')];
  await harness.call(user, 'POST', '/api/notifications/seen', { generationIds: [shown] });
  await sendAll(shown);
  await sendAll(hidden);
  expect(harness.shownAt(endpoint).map(({ notification }) => notification.tag)).toEqual([hidden]);
});

test('an end that the page showed is announced nowhere else', async () => {
  const { user, endpoint } = await harness.signUpWithBrowser();
  const id = await harness.finish(user);
  const answer = await harness.call(user, 'POST', '/api/notifications/seen', { generationIds: [id] });
  expect(answer.json()).toEqual({ unseen: 0 });
  await sendAll(id);
  expect(harness.shownAt(endpoint)).toEqual([]);
});

test.each([404, 410])(
  'a browser whose push service says %i is forgotten, and the mail takes its place',
  async (status) => {
    const { user, endpoint } = await harness.signUpWithBrowser();
    await allowMails(user);
    const id = await harness.finish(user);
    expect((await harness.noticesOf(id)).map(({ channel }) => channel)).toEqual(['push']);
    harness.pushService.answer({ status }, endpoint);
    await sendAll(id);
    expect(await harness.testApp.app.db.pushSubscription.count({ where: { endpoint } })).toBe(0);
    expect((await harness.noticesOf(id)).map(({ channel }) => channel)).toEqual(['push', 'mail']);
    await sendAll(id);
    expect(await resultMails(user)).toHaveLength(1);
  },
);

test.each([403, 413])('%i costs neither the subscription nor a second try', async (status) => {
  const { user, endpoint } = await harness.signUpWithBrowser();
  const id = await harness.finish(user);
  harness.pushService.answer({ status }, endpoint);
  await sendAll(id);
  expect(await harness.testApp.app.db.pushSubscription.count({ where: { endpoint } })).toBe(1);
  expect(harness.pushService.requests.filter((request) => request === endpoint)).toHaveLength(1);
});

test.each([500, 503, 429, 'hang'] as const)('after %s the queue tries again', async (answer) => {
  const { user, endpoint } = await harness.signUpWithBrowser();
  const id = await harness.finish(user);
  harness.pushService.answer(answer === 'hang' ? answer : { status: answer }, endpoint);
  await expect(sendAll(id, answer === 'hang' ? harness.hastyApp : undefined)).rejects.toThrow();
  harness.pushService.answer({ status: 201 });
  await sendAll(id);
  expect(harness.shownAt(endpoint)).toHaveLength(1);
});

test('a push service that asks for a pause gets it', async () => {
  const { user, endpoint } = await harness.signUpWithBrowser();
  const id = await harness.finish(user);
  harness.pushService.answer({ status: 429, headers: { 'retry-after': '600' } }, endpoint);
  await sendAll(id);
  const { rows } = await harness.testApp.database.pool.query(
    `SELECT extract(epoch FROM max(start_after) - now())::int AS pause FROM pgboss.job WHERE name = 'send-notice'`,
  );
  expect(rows[0].pause).toBeGreaterThan(590);
  expect(rows[0].pause).toBeLessThanOrEqual(600);
});

test('a notice older than a day is sent to nobody', async () => {
  const { user, endpoint } = await harness.signUpWithBrowser();
  const id = await harness.finish(user);
  const createdAt = new Date(Date.now() - NOTICE_LIFETIME_MS - 1000);
  await harness.testApp.app.db.notice.updateMany({ where: { generationId: id }, data: { createdAt } });
  await sendAll(id);
  expect(harness.shownAt(endpoint)).toEqual([]);
});

test('a browser gets no notice for an account that has signed out or made way for another one', async () => {
  const former = await harness.signUp();
  const subscription = harness.pushService.subscribe();
  await harness.subscribe(former, subscription);
  const id = await harness.finish(former);
  const next = await harness.signUp();
  await harness.subscribe(next, subscription);
  await sendAll(id);
  expect(harness.shownAt(subscription.endpoint)).toEqual([]);

  const another = await harness.subscribe(former);
  const second = await harness.finish(former, 'photosession');
  await harness.call(former, 'POST', '/api/logout', {});
  await sendAll(second);
  expect(harness.shownAt(another)).toEqual([]);
});

test('a result with the same person is not announced as a new model', async () => {
  const { user, endpoint } = await harness.signUpWithBrowser();
  const id = await harness.finish(user, 'model_change');
  const settings = { modelId: null, backgroundId: 'luxury', isModelReplaced: false };
  await harness.testApp.app.db.generation.update({ where: { id }, data: { settings } });
  await sendAll(id);
  expect(harness.shownAt(endpoint).map(({ notification }) => notification.title)).toEqual([
    'Фото с новым фоном готово',
  ]);
});

test('a mail goes once to a person who allowed it and has no other channel', async () => {
  const user = await harness.signUp();
  const silent = await harness.finish(user);
  expect(await harness.noticesOf(silent)).toEqual([]);
  await allowMails(user);
  const id = await harness.finish(user, 'model_change');
  await sendAll(id);
  await sendAll(id);
  const [mail, ...more] = await resultMails(user);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('Фото с новой моделью готово — «Подиум»');
  expect(mail?.text).toContain(resultPath('model_change', id));

  await harness.subscribe(user);
  const pushed = await harness.finish(user, 'photosession');
  expect((await harness.noticesOf(pushed)).map(({ channel }) => channel)).toEqual(['push']);
});

test('a mail that the mail server refused is tried again; one that a crash interrupted is not', async () => {
  const user = await harness.signUp();
  await allowMails(user);
  const { app } = harness.testApp;
  const id = await harness.finish(user);
  const [notice] = await harness.noticesOf(id);
  if (!notice) throw new Error('no notice');
  const refusing = { ...app, mailer: { ...app.mailer, send: vi.fn().mockRejectedValue(new Error('refused')) } };
  await expect(sendNotice(refusing, notice.id)).rejects.toThrow('refused');
  await sendNotice(app, notice.id);
  expect(await resultMails(user)).toHaveLength(1);

  const second = await harness.finish(user, 'photosession');
  const [interrupted] = await harness.noticesOf(second);
  let claimedAt: Date | null | undefined;
  const crashing = {
    ...app,
    mailer: {
      ...app.mailer,
      // A killed process neither sends nor reports an error. Only its rows in the database remain.
      send: async () => {
        claimedAt = (await harness.noticesOf(second))[0]?.sentAt;
        throw new Error('killed');
      },
    },
  };
  await expect(sendNotice(crashing, interrupted?.id ?? '')).rejects.toThrow('killed');
  expect(claimedAt).toBeInstanceOf(Date);
});

test('a person who is linked with a bot that is off is notified by mail', async () => {
  const user = await harness.signUp();
  await allowMails(user);
  const { app } = harness.testApp;
  await app.db.telegramUser.create({ data: { id: 7_000_001, accountId: user.account.id } });
  const id = await harness.finish(user);
  expect((await harness.noticesOf(id)).map(({ channel }) => channel)).toEqual(['mail']);
  await sendAll(id);
  expect(await resultMails(user)).toHaveLength(1);
});
