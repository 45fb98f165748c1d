import { describe, expect, it } from 'vitest';
import type { TelegramState } from '#shared/contract/telegram.ts';
import { afterNextPasswordCheck } from '#tests/support/after-password-check.ts';
import { useBotHarness } from '#tests/support/bot-harness.ts';
import type { TelegramUser } from '#tests/support/telegram-user.ts';
import { until } from '#tests/support/until.ts';
import { PASSWORD, readMails, registerVerified, sessionCookieOf, type TestUser } from '#tests/support/users.ts';

const harness = useBotHarness();
const NEW_PASSWORD = 'another-password';
const DAY_MS = 24 * 3_600_000;

const { call, link, tokenFromBot } = harness;
const visitor = { cookie: '' };

async function createLinked(): Promise<{ site: TestUser; chat: TelegramUser }> {
  const site = await registerVerified(harness.testApp);
  const chat = await harness.newMember();
  expect((await link(site, chat)).statusCode).toBe(200);
  return { site, chat };
}

const linkOf = async (user: Pick<TestUser, 'cookie'>) =>
  ((await call(user, 'GET', '/api/telegram')).json() as TelegramState).link;

describe('a moment at somebody’s session', () => {
  it('links no chat in either direction without the password', async () => {
    const site = await registerVerified(harness.testApp);
    const stranger = await harness.newMember();
    const token = await tokenFromBot(stranger);
    const tries = [
      call(site, 'POST', '/api/telegram/link', { token }),
      call(site, 'POST', '/api/telegram/link', { token, password: 'wrong' }),
      call(site, 'POST', '/api/telegram/link-address'),
      call(site, 'POST', '/api/telegram/link-address', { password: 'wrong' }),
    ];
    const codes = (await Promise.all(tries)).map((answer) => [answer.statusCode, answer.json().code]);
    expect(codes.map(([status]) => status)).toEqual([400, 400, 400, 400]);
    expect([codes[1]?.[1], codes[3]?.[1]]).toEqual(['wrong_password', 'wrong_password']);
    expect(await linkOf(site)).toBeNull();
  });

  it('guesses the password ten times at most, in both directions together', async () => {
    const site = await registerVerified(harness.testApp);
    const token = await tokenFromBot(await harness.newMember());
    for (let index = 0; index < 5; index++) {
      await call(site, 'POST', '/api/telegram/link', { token, password: 'wrong' });
      await call(site, 'POST', '/api/telegram/link-address', { password: 'wrong' });
    }
    expect((await call(site, 'POST', '/api/telegram/link', { token, password: PASSWORD })).statusCode).toBe(429);
  });
});

describe('whoever gave the password just before it was replaced', () => {
  it('links no chat in either direction', async () => {
    for (const isFromBot of [true, false]) {
      const site = await registerVerified(harness.testApp);
      const token = await tokenFromBot(await harness.newMember());
      const changed = afterNextPasswordCheck(harness.testApp, () =>
        call(site, 'POST', '/api/account/password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }),
      );
      const refused = isFromBot
        ? await call(site, 'POST', '/api/telegram/link', { token, password: PASSWORD })
        : await call(site, 'POST', '/api/telegram/link-address', { password: PASSWORD });
      expect([refused.statusCode, refused.json().code]).toEqual([400, 'wrong_password']);
      expect((await changed).statusCode).toBe(204);
      expect(await linkOf({ cookie: sessionCookieOf(await changed) })).toBeNull();
      const { id: accountId } = site.account;
      expect(await harness.testApp.app.db.linkToken.count({ where: { accountId } })).toBe(0);
    }
  });
});

describe('the mail about a linked chat', () => {
  async function readPartingToken(email: string): Promise<string> {
    const mail = await until(async () => {
      const last = (await readMails(harness.testApp, email)).at(-1);
      expect(last?.subject).toContain('подключён чат');
      return last;
    });
    return /\/chat-access\?token=([\w.-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
  }
  const part = (token: string) => call(visitor, 'POST', '/api/telegram/part', { token });

  it('names the chat, and its link parts it once, for whoever has the mail', async () => {
    const { site, chat } = await createLinked();
    const token = await readPartingToken(site.email);
    const mail = (await readMails(harness.testApp, site.email)).at(-1);
    expect(mail?.text).toContain(`Чат @anna${chat.id} получил доступ к вашему аккаунту`);
    // Mail programs open links by themselves.
    await call(visitor, 'GET', `/chat-access?token=${token}`);
    expect(await linkOf(site)).not.toBeNull();
    const parted = await part(token);
    expect([parted.statusCode, parted.cookies]).toEqual([204, []]);
    expect(await linkOf(site)).toBeNull();
    expect((await part(token)).json().code).toBe('parting_link_invalid');
  });

  it('parts no chat that is linked later', async () => {
    const { site, chat } = await createLinked();
    const token = await readPartingToken(site.email);
    await part(token);
    await chat.ask('/balance', /На балансе/);
    await link(site, chat);
    expect((await part(token)).json().code).toBe('parting_link_invalid');
    expect(await linkOf(site)).not.toBeNull();
  });

  it('has a link that works for seven days and cannot be forged', async () => {
    const { site } = await createLinked();
    const token = await readPartingToken(site.email);
    const forged = [
      token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      '',
      'x',
      `${site.account.id}.1.${'A'.repeat(43)}`,
    ];
    for (const one of forged) expect((await part(one)).json().code).toBe('parting_link_invalid');
    const { db } = harness.testApp.app;
    const stored = await db.telegramUser.findFirstOrThrow({ where: { accountId: site.account.id } });
    const [, , signature] = token.split('.');
    expect(signature).toHaveLength(43);
    const linkedAt = new Date((stored.linkedAt?.getTime() ?? 0) - 7 * DAY_MS);
    await db.telegramUser.update({ where: { id: stored.id }, data: { linkedAt } });
    expect((await part(token)).json().code).toBe('parting_link_invalid');
    expect(await linkOf(site)).not.toBeNull();
  });
});

describe('a new password', () => {
  it('parts the chat unless told to keep it, and makes open addresses void in any case', async () => {
    for (const keepsChats of [undefined, false, true]) {
      const { site } = await createLinked();
      const changed = await call(site, 'POST', '/api/account/password', {
        currentPassword: PASSWORD,
        newPassword: NEW_PASSWORD,
        ...(keepsChats === undefined ? {} : { keepsChats }),
      });
      expect(changed.statusCode).toBe(204);
      const own = { cookie: sessionCookieOf(changed) };
      expect((await linkOf(own)) !== null, String(keepsChats)).toBe(keepsChats === true);
    }
    const site = await registerVerified(harness.testApp);
    const { address } = (await call(site, 'POST', '/api/telegram/link-address', { password: PASSWORD })).json();
    const passwords = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    await call(site, 'POST', '/api/account/password', { ...passwords, keepsChats: true });
    const stranger = await harness.newMember();
    await stranger.ask(`/start ${new URL(address).searchParams.get('start')}`, /Ссылка устарела/);
  });

  it('after a reset does the same', async () => {
    for (const keepsChats of [undefined, true]) {
      const { site } = await createLinked();
      await call(visitor, 'POST', '/api/password-reset/request', { email: site.email });
      // The mail about the chat that was linked may come before it or after it.
      const code = await harness.waitUntil(async () => {
        const mails = await readMails(harness.testApp, site.email);
        const mail = mails.find(({ subject }) => subject?.startsWith('Код для нового пароля'));
        expect(mail).toBeDefined();
        return /^[A-Z0-9]{6}$/m.exec(mail?.text ?? '')?.[0];
      });
      const reset = await call(visitor, 'POST', '/api/password-reset', {
        email: site.email,
        code,
        password: NEW_PASSWORD,
        ...(keepsChats === undefined ? {} : { keepsChats }),
      });
      expect(reset.statusCode).toBe(200);
      expect((await linkOf({ cookie: sessionCookieOf(reset) })) !== null).toBe(keepsChats === true);
    }
  });
});

it('a chat stands in the list of sessions and ends with all others', async () => {
  const { site, chat } = await createLinked();
  const list = (await call(site, 'GET', '/api/account/sessions')).json();
  expect(list.chats).toEqual([{ username: `anna${chat.id}`, firstName: 'Анна', linkedAt: expect.any(String) }]);
  await call(site, 'DELETE', '/api/account/sessions');
  expect((await call(site, 'GET', '/api/account/sessions')).json().chats).toEqual([]);
  expect(await linkOf(site)).toBeNull();
});
