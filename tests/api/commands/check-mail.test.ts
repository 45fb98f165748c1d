import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSmtpMailer } from '#api/adapters/mail/smtp-mailer.ts';
import { checkMail } from '#api/commands/doctor/check-services.ts';
import type { Config } from '#api/config/config.ts';
import { type FakeSmtpServer, startFakeSmtpServer } from '#tests/support/fake-smtp-server.ts';

let smtp: FakeSmtpServer;
beforeAll(async () => {
  smtp = await startFakeSmtpServer();
});
afterAll(() => smtp.close());

it.each([
  ['with a user, in production', 'robot:secret@', true, 'ok', /takes our login/],
  ['without a user', '', false, 'ok', /without a login was not tried/],
  ['without a user, in production', '', true, 'warning', /without a login was not tried/],
])('the doctor says of a mail server %s only what it has tried', async (_what, user, isProduction, state, text) => {
  const smtpUrl = `smtp://${user}127.0.0.1:${smtp.port}`;
  const mailer = {
    ...createSmtpMailer({ url: smtpUrl, tls: 'if offered', from: 'robot@podium.example' }),
    removeOld: async () => {},
  };
  const verdict = await checkMail({ mailer, config: { smtpUrl, isProduction } as Config });
  await mailer.close();
  expect(verdict).toEqual({ state, text: expect.stringMatching(text) });
});
