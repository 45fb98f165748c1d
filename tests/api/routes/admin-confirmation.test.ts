import { beforeEach, describe, expect, it } from 'vitest';
import { runAdminCommand } from '#api/commands/admin.ts';
import { computeTotp, makeTotpSecret, openSecret, sealSecret, stepAt } from '#api/services/accounts/second-factor.ts';
import { beginSecondFactor, finishSecondFactor, getSecondFactor } from '#shared/contract/administration.ts';
import { createAccount, createImageResult, createPayment } from '#tests/support/factories.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import {
  createPrintedAdmin,
  nextAddress,
  registerVerified,
  sessionCookieOf,
  type TestUser,
} from '#tests/support/users.ts';

const testApp = useTestApp();

const NEW_PASSWORD = 'a-password-of-my-own';

function send(cookie: string, method: 'GET' | 'POST', url: string, payload?: object) {
  return testApp.server.inject({
    method,
    url,
    headers: { cookie },
    remoteAddress: nextAddress(),
    ...(payload && { payload }),
  });
}
async function codeOf(answer: ReturnType<typeof send>): Promise<string> {
  const { statusCode, body } = await answer;
  return statusCode < 400 ? String(statusCode) : `${statusCode} ${JSON.parse(body).code}`;
}

describe('with a printed password', () => {
  it('an administrator may sign out, see who they are and set another password, and nothing else', async () => {
    const { cookie, password } = await createPrintedAdmin(testApp);
    for (const url of ['/api/admin/payments', '/api/stars/balance', '/api/account/sessions', '/api/gallery']) {
      expect(await codeOf(send(cookie, 'GET', url)), url).toBe('403 password_change_required');
    }
    expect(await codeOf(send(cookie, 'POST', '/api/admin/second-factor', { password }))).toBe(
      '403 password_change_required',
    );
    expect((await send(cookie, 'GET', '/api/auth/user')).json()).toMatchObject({ hasPrintedPassword: true });
    const change = (newPassword: string) =>
      send(cookie, 'POST', '/api/account/password', { currentPassword: password, newPassword });
    expect(await codeOf(change('seven-7'))).toBe('400 password_short');
    expect(await codeOf(change(password))).toBe('400 invalid_request');
    const changed = await change(NEW_PASSWORD);
    expect(changed.statusCode).toBe(204);
    expect(await codeOf(send(sessionCookieOf(changed), 'GET', '/api/admin/payments'))).toBe('200');
    const other = await createPrintedAdmin(testApp);
    const left = await send(other.cookie, 'POST', '/api/logout');
    expect(left.statusCode).toBe(204);
    expect(left.headers['clear-site-data']).toBe('"cache"');
  });
});

describe('the password of somebody who became an administrator', () => {
  it('is replaced when it is shorter than eight characters, at the next sign-in', async () => {
    const user = await registerVerified(testApp, { password: 'seven-7' });
    await runAdminCommand(testApp.app, [user.email, '--promote']);
    // Whoever was signed in as somebody else signs in again, so the password is seen.
    expect(await codeOf(send(user.cookie, 'GET', '/api/admin/payments'))).toBe('401 unauthorized');
    const signIn = await send('', 'POST', '/api/login', { email: user.email, password: 'seven-7' });
    expect(signIn.json()).toMatchObject({ isAdmin: true, hasPrintedPassword: true });
    expect(await codeOf(send(sessionCookieOf(signIn), 'GET', '/api/admin/payments'))).toBe(
      '403 password_change_required',
    );
  });

  it('is replaced before the second factor when the setting has made its owner an administrator', async () => {
    const user = await registerVerified(testApp, { password: 'seven-7' });
    await testApp.app.db.account.update({ where: { id: user.account.id }, data: { isAdmin: true } });
    expect(await codeOf(send(user.cookie, 'POST', '/api/admin/second-factor', { password: 'seven-7' }))).toBe(
      '403 password_change_required',
    );
  });

  it('may have six for everybody else', async () => {
    const user = await registerVerified(testApp, { password: 'seven-7' });
    const payload = { currentPassword: 'seven-7', newPassword: 'six-66' };
    expect(await codeOf(send(user.cookie, 'POST', '/api/account/password', payload))).toBe('204');
  });
});

describe('what moves money or stars', () => {
  let admin: TestUser;
  let accountId: number;
  let actions: Record<'correct' | 'grant' | 'refund' | 'repay', (cookie: string) => ReturnType<typeof send>>;
  beforeEach(async () => {
    const { db } = testApp.app;
    await db.limitCount.deleteMany();
    const printed = await createPrintedAdmin(testApp);
    await db.account.update({ where: { id: printed.account.id }, data: { hasPrintedPassword: false } });
    admin = printed;
    accountId = (await createAccount(testApp.app)).id;
    const payment = await createPayment(db, accountId);
    const contacts = { name: 'Анна', email: 'anna@example.com', telegram: '@anna' };
    const request = await db.interviewRequest.create({ data: { accountId, ...contacts } });
    const { id: resultId, generationId } = await createImageResult(testApp.app, accountId);
    const complaint = { accountId, resultId, generationId, reason: 'other', isUrgent: false } as const;
    const report = await db.resultReport.create({ data: complaint });
    actions = {
      correct: (cookie) =>
        send(cookie, 'POST', `/api/admin/users/${accountId}/correction`, { delta: 1, reason: 'Подарок' }),

      grant: (cookie) => send(cookie, 'POST', `/api/admin/interview-requests/${request.id}/grant`),

      refund: (cookie) => send(cookie, 'POST', `/api/admin/payments/${payment.id}/refund`, { reason: 'Ошибка' }),

      repay: (cookie) =>
        send(cookie, 'POST', `/api/admin/reports/${report.id}/decision`, { decision: 'stars_returned' }),
    };
  });
  const confirm = (code: string, password = admin.password, cookie = admin.cookie) =>
    codeOf(send(cookie, 'POST', '/api/admin/confirmation', { password, code }));
  const listCodes = async (cookie = admin.cookie) => {
    const codes = new Set<string>();
    for (const act of Object.values(actions)) codes.add(await codeOf(act(cookie)));
    return [...codes];
  };
  /** A code that was not used yet. */
  const nextCode = async () => {
    const factor = await testApp.app.db.secondFactor.findUniqueOrThrow({ where: { accountId: admin.account.id } });
    const secret = openSecret(testApp.app.config.sessionSecret, factor.accountId, factor.secret);
    return computeTotp(secret, Math.max(factor.lastStep + 1, stepAt(new Date())));
  };
  const setUp = async () => {
    const begun = await send(admin.cookie, 'POST', '/api/admin/second-factor', { password: admin.password });
    expect(beginSecondFactor.answer.parse(begun.json()).address).toMatch(/^otpauth:\/\/totp\/.*period=30/);
    const finished = await send(admin.cookie, 'POST', '/api/admin/second-factor/confirm', { code: await nextCode() });
    return finishSecondFactor.answer.parse(finished.json()).recoveryCodes;
  };
  const readState = async () =>
    getSecondFactor.answer.parse((await send(admin.cookie, 'GET', '/api/admin/second-factor')).json());

  it('is refused until the second factor is set up, which takes the password and a code', async () => {
    expect(await listCodes()).toEqual(['403 second_factor_required']);
    expect(await confirm('123456')).toBe('403 second_factor_required');
    expect(await codeOf(send(admin.cookie, 'POST', '/api/admin/second-factor', { password: 'wrong' }))).toBe(
      '400 wrong_password',
    );
    await send(admin.cookie, 'POST', '/api/admin/second-factor', { password: admin.password });
    expect(await codeOf(send(admin.cookie, 'POST', '/api/admin/second-factor/confirm', { code: '000000' }))).toBe(
      '400 second_factor_code_wrong',
    );
    // Begun is not set up.
    expect(await listCodes()).toEqual(['403 second_factor_required']);
    expect(await setUp()).toHaveLength(10);
    expect(await readState()).toMatchObject({
      isSetUp: true,
      recoveryCodesLeft: 10,
      confirmedUntil: expect.any(String),
    });
    expect(await codeOf(actions.correct(admin.cookie))).toBe('200');
    expect(await codeOf(actions.grant(admin.cookie))).toBe('200');
    // A stolen session cannot replace it.
    expect(await codeOf(send(admin.cookie, 'POST', '/api/admin/second-factor', { password: admin.password }))).toBe(
      '409 second_factor_exists',
    );
  });

  it('is refused fifteen minutes after the confirmation, and in every other session', async () => {
    await setUp();
    const payload = { email: admin.email, password: admin.password };
    const other = sessionCookieOf(await send('', 'POST', '/api/login', payload));
    expect(await listCodes(other)).toEqual(['403 confirmation_required']);
    const late = { confirmedAt: new Date(Date.now() - 15 * 60_000 - 1) };
    await testApp.app.db.session.updateMany({ where: { accountId: admin.account.id }, data: late });
    expect(await listCodes()).toEqual(['403 confirmation_required']);
    expect(await readState()).toMatchObject({ confirmedUntil: null });
    const code = await nextCode();
    expect(await confirm(code, 'wrong')).toBe('400 wrong_password');
    expect(await confirm(code)).toBe('204');
    expect(await codeOf(actions.correct(admin.cookie))).toBe('200');
    // A code is used once, also by the other session.
    expect(await confirm(code)).toBe('400 second_factor_code_wrong');
    expect(await confirm(code, admin.password, other)).toBe('400 second_factor_code_wrong');
    expect(await listCodes(other)).toEqual(['403 confirmation_required']);
  });

  it('is confirmed by each recovery code once, even by two requests at once', async () => {
    const [first = '', second = ''] = await setUp();
    const both = await Promise.all([confirm(first), confirm(first.toLowerCase().replace('-', ' '))]);
    expect(both.sort()).toEqual(['204', '400 second_factor_code_wrong']);
    expect(await confirm(second)).toBe('204');
    expect(await readState()).toMatchObject({ recoveryCodesLeft: 8 });
  });

  it('is not confirmed by guesses: after five wrong codes even the right one waits', async () => {
    await setUp();
    for (let tries = 0; tries < 5; tries++) expect(await confirm('000000')).toBe('400 second_factor_code_wrong');
    expect(await confirm(await nextCode())).toBe('429 too_many_requests');
  });

  it('is refused, and is no fault of the server, for six characters that are no code in any alphabet', async () => {
    const codes = ['１２３４５６', 'шестьц', '\ud800abcde'];
    await send(admin.cookie, 'POST', '/api/admin/second-factor', { password: admin.password });
    const finish = (code: string) => codeOf(send(admin.cookie, 'POST', '/api/admin/second-factor/confirm', { code }));
    for (const code of codes) expect(await finish(code), code).toBe('400 second_factor_code_wrong');
    await testApp.app.db.limitCount.deleteMany();
    await setUp();
    for (const code of codes) expect(await confirm(code), code).toBe('400 second_factor_code_wrong');
  });

  it('is set up anew when SESSION_SECRET has changed', async () => {
    await setUp();
    const { id } = admin.account;
    const secret = sealSecret('a former session secret of the operator', id, makeTotpSecret());
    await testApp.app.db.secondFactor.update({ where: { accountId: id }, data: { secret } });
    expect(await listCodes()).toEqual(['403 second_factor_required']);
    expect(await confirm('123456')).toBe('403 second_factor_required');
    expect(await setUp()).toHaveLength(10);
    expect(await codeOf(actions.correct(admin.cookie))).toBe('200');
  });

  it('is set up anew after npm run admin, which renews password and second factor', async () => {
    await setUp();
    await runAdminCommand(testApp.app, [admin.email]);
    expect(await testApp.app.db.secondFactor.count({ where: { accountId: admin.account.id } })).toBe(0);
  });
});

it('--demote of an id that stands in ADMIN_USER_IDS says that it stays an administrator', async () => {
  const { email } = await createPrintedAdmin(testApp);
  await expect(runAdminCommand(testApp.app, [email, '--demote'])).rejects.toThrow(
    /ADMIN_USER_IDS .*it stays one; take the id out/,
  );
});
