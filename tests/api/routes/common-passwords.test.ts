import { describe, expect, it } from 'vitest';
import { ERRORS } from '#shared/contract/errors.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { newEmail, nextAddress, PASSWORD, registerVerified } from '#tests/support/users.ts';

const testApp = useTestApp();

const post = ({ server }: TestApp, url: string, payload: object, cookie = '') =>
  server.inject({ method: 'POST', url, payload, remoteAddress: nextAddress(), headers: { cookie } });
const refusalOf = (field: string) => ({
  code: 'password_common',
  message: ERRORS.password_common.message,
  fields: { [field]: ERRORS.password_common.message },
});

describe('one of the commonest passwords', () => {
  it.each([
    ['as it is in the list', '123456'],
    ['in any case', 'QwErTyUiOp'],
    ['that is a Russian word', 'пароль'],
    ['that is typed with a Russian layout', 'Йцукен'],
  ])('is refused at registration %s', async (_how, password) => {
    const email = newEmail();
    const answer = await post(testApp, '/api/register', { email, password });
    expect([answer.statusCode, answer.json()]).toEqual([400, refusalOf('password')]);
    expect(await testApp.app.db.account.count({ where: { emailKey: email } })).toBe(0);
  });

  it('is refused when a password is changed, and the old one stays', async () => {
    const { cookie, email } = await registerVerified(testApp);
    const body = { currentPassword: PASSWORD, newPassword: 'password1' };
    const answer = await post(testApp, '/api/account/password', body, cookie);
    expect([answer.statusCode, answer.json()]).toEqual([400, refusalOf('newPassword')]);
    expect((await post(testApp, '/api/login', { email, password: PASSWORD })).statusCode).toBe(200);
  });

  it('is refused at a reset, before the code is looked at', async () => {
    const { email } = await registerVerified(testApp);
    for (const address of [email, newEmail()]) {
      const answer = await post(testApp, '/api/password-reset', { email: address, code: 'AAAAAA', password: 'qwerty' });
      expect([answer.statusCode, answer.json()]).toEqual([400, refusalOf('password')]);
    }
  });

  it('still signs in whoever has it', async () => {
    const answer = await post(testApp, '/api/login', { email: newEmail(), password: 'qwerty' });
    expect(answer.json().code).toBe('invalid_credentials');
  });

  it('is taken with COMMON_PASSWORDS=allow', async () => {
    const tolerant = await createTestApp({ env: { COMMON_PASSWORDS: 'allow' } });
    const answer = await post(tolerant, '/api/register', { email: newEmail(), password: 'qwerty' });
    await tolerant.close();
    expect(answer.statusCode).toBe(200);
  });
});

it('a password that only contains a common one is taken', async () => {
  const answer = await post(testApp, '/api/register', { email: newEmail(), password: 'qwerty-и-кот' });
  expect(answer.statusCode).toBe(200);
});
