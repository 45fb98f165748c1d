import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startJobs } from '#api/jobs/start-jobs.ts';
import { DELETION_GRACE_MS } from '#shared/rules/retention.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { createStoredPhoto } from '#tests/support/factories.ts';
import { finishJobs } from '#tests/support/finish-jobs.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import {
  logIn,
  PASSWORD,
  readMails,
  registerVerified,
  sessionCookieOf,
  type TestUser,
  uploadPhoto,
} from '#tests/support/users.ts';

const testApp = useTestApp();
let user: TestUser;
beforeAll(async () => {
  await startJobs(testApp.app);
});
beforeEach(async () => {
  user = await registerVerified(testApp);
});

const call = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, cookie = user.cookie) =>
  testApp.server.inject({ method, url, headers: { cookie }, ...(payload ? { payload } : {}) });
const requestDeletion = (password = PASSWORD) => call('POST', '/api/account/deletion', { password });
const deletionMails = async () =>
  (await readMails(testApp, user.email)).filter(({ subject }) => subject === 'Аккаунт будет удалён — «Подиум»');

describe('asking for the account to be deleted', () => {
  it('takes the password, tells when, and keeps only this session', async () => {
    const elsewhere = sessionCookieOf(await logIn(testApp, user));
    const response = await requestDeletion();
    expect(response.statusCode).toBe(200);
    const inDays = (Date.parse(response.json().erasesAt) - Date.now()) / 86_400_000;
    expect(inDays).toBeCloseTo(DELETION_GRACE_MS / 86_400_000, 2);
    expect((await call('GET', '/api/auth/user')).json().erasesAt).toBe(response.json().erasesAt);
    expect((await call('GET', '/api/auth/user', undefined, elsewhere)).statusCode).toBe(401);
    expect((await logIn(testApp, user)).json().erasesAt).toBe(response.json().erasesAt);
  });

  it('changes nothing with a wrong password, which cannot be guessed', async () => {
    const response = await requestDeletion('wrong');
    expect([response.statusCode, response.json().code]).toEqual([400, 'wrong_password']);
    expect((await call('GET', '/api/auth/user')).json().erasesAt).toBeNull();
    for (let attempt = 1; attempt < 10; attempt++) await requestDeletion('wrong');
    expect((await requestDeletion()).statusCode).toBe(429);
  });

  it('mails what follows and how to take it back, once', async () => {
    await requestDeletion();
    await requestDeletion();
    await finishJobs(testApp.database.pool, ['send-deletion-mail']);
    const [mail, ...others] = await deletionMails();
    expect(others).toEqual([]);
    expect(mail?.text).toContain('«Отменить удаление»');
    expect(mail?.text).toContain('/settings');
    expect(mail?.text).toMatch(/Мы удалим его \d{1,2} [а-я]+ \d{4}\s?г\./);
    expect(mail?.html).toContain('Неизрасходованные звёзды пропадут');
  });

  it('again does not move the date', async () => {
    const { erasesAt } = (await requestDeletion()).json();
    expect((await requestDeletion()).json().erasesAt).toBe(erasesAt);
  });
});

describe('while the deletion is asked', () => {
  it('nothing is uploaded, started or bought, and after taking it back all of it is possible', async () => {
    const photo = await createStoredPhoto(testApp.app, user.account.id);
    const start = () => call('POST', '/api/generate', { imageId: photo.id, settings: {} });
    const packageId = (await testApp.app.db.starPackage.findFirstOrThrow({ where: { isActive: true } })).id;
    const buy = () => call('POST', '/api/payments/create-invoice', { packageId });
    const content = await drawJpeg(300, 400);
    const upload = () => uploadPhoto(testApp, user, content);
    await requestDeletion();
    for (const refused of [await start(), await buy(), await upload()]) {
      expect([refused.statusCode, refused.json().code]).toEqual([409, 'deletion_asked']);
    }
    expect((await call('GET', '/api/stars/balance')).json().balance).toBe(2);
    expect(await testApp.app.db.payment.count({ where: { accountId: user.account.id } })).toBe(0);

    const back = await call('DELETE', '/api/account/deletion');
    expect([back.statusCode, back.json().erasesAt]).toEqual([200, null]);
    expect((await upload()).statusCode).toBe(200);
    expect((await start()).statusCode).toBe(200);
    expect((await buy()).statusCode).toBe(200);
  });
});
