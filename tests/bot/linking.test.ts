import { describe, expect, it } from 'vitest';
import { requestDeletionFromTelegram } from '#api/services/accounts/deletion.ts';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import type { TelegramState } from '#shared/contract/telegram.ts';
import { DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import { useBotHarness } from '#tests/support/bot-harness.ts';
import { countLockWaits } from '#tests/support/database.ts';
import { createGeneration, createPayment, createPhoto, keepPhoto } from '#tests/support/factories.ts';
import { linkChat } from '#tests/support/link-chat.ts';
import { PASSWORD, registerUnverified, registerVerified, type TestUser } from '#tests/support/users.ts';

const harness = useBotHarness();

const { call, link, tokenFromBot } = harness;

async function stateOf(user: TestUser): Promise<TelegramState> {
  return (await call(user, 'GET', '/api/telegram')).json();
}

/** The token in the link that the settings page shows. */
async function tokenFromSite(user: TestUser): Promise<string> {
  const answer = await call(user, 'POST', '/api/telegram/link-address', { password: PASSWORD });
  expect(answer.statusCode).toBe(200);
  const [, token = ''] = /^https:\/\/t\.me\/podium_fake_bot\?start=([\w-]{22})$/.exec(answer.json().address) ?? [];
  return token;
}

const balanceOf = async (user: TestUser) => (await call(user, 'GET', '/api/stars/balance')).json().balance;

describe('from the site', () => {
  it('a newcomer of Telegram comes by the address, accepts the terms, confirms, and has the account of the site', async () => {
    const site = await registerVerified(harness.testApp);
    const anna = harness.newUser();
    await anna.ask(`/start ${await tokenFromSite(site)}`, /18 лет/);
    await anna.choose('Мне есть 18, принимаю', new RegExp(`аккаунтом сайта ${site.email.slice(0, 2)}…@example.com`));
    await anna.choose('Связать', /Готово: бот связан[\s\S]*Пришлите фото товара или откройте \/gallery/);
    expect((await harness.accountOf(anna)).id).toBe(site.account.id);
    expect(await stateOf(site)).toMatchObject({ link: { firstName: 'Анна', tellsResults: true } });
    anna.say('/balance');
    // There is no second gift.
    await anna.waitFor(/На балансе 2 звезды/);
  });

  it.each<[string, (accountId: number) => Promise<unknown>]>([
    ['a photo', (accountId) => createPhoto(harness.testApp.app, accountId)],
    ['a generation', (accountId) => createGeneration(harness.testApp.app, accountId, 'video')],
    ['a payment', (accountId) => createPayment(harness.testApp.app.db, accountId)],
    [
      'other stars than the gift',
      async (accountId) => {
        const { db } = harness.testApp.app;
        await db.account.update({ where: { id: accountId }, data: { starBalance: 3 } });
        await db.starEntry.create({ data: { accountId, kind: 'correction', delta: 1, causeKey: `t:${accountId}` } });
      },
    ],
  ])('a chat that has %s keeps it: the bot says how to join from the site', async (_, give) => {
    const site = await registerVerified(harness.testApp);
    const vera = await harness.newMember();
    const { id: ownId } = await harness.accountOf(vera);
    const token = await tokenFromSite(site);
    const { messageId } = await vera.ask(`/start ${token}`, /Связать этот чат/);
    // It comes after the question, too.
    await give(ownId);
    vera.press('Связать');
    await vera.waitForNotice(/отправьте боту \/link, откройте ссылку на сайте и подтвердите паролем/);
    vera.say(`/start ${token}`);
    const refusal = await vera.waitFor(/В этом чате уже есть звёзды, фото или результаты.*\/link/, {
      after: messageId,
    });
    expect(refusal.buttons).toEqual([]);
    expect((await harness.accountOf(vera)).id).toBe(ownId);
    expect((await stateOf(site)).link).toBeNull();
    const linked = await link(site, vera);
    expect(linked.statusCode).toBe(200);
    expect((await harness.accountOf(vera)).id).toBe(site.account.id);
  });

  it('a consent to the documents counts in the chat and on the site alike, from the link on', async () => {
    const { db } = harness.testApp.app;
    const version = DOCUMENTS_VERSION;
    const site = await registerVerified(harness.testApp);
    const zoya = await harness.newMember();
    const readVersions = async () => {
      const { termsVersion } = await db.telegramUser.findUniqueOrThrow({ where: { id: zoya.id } });
      const { consentVersion } = await db.account.findUniqueOrThrow({ where: { id: site.account.id } });
      return [termsVersion, consentVersion];
    };
    const outdate = async () => {
      await db.telegramUser.update({ where: { id: zoya.id }, data: { termsVersion: '2020-01-01' } });
      await db.account.update({ where: { id: site.account.id }, data: { consentVersion: '2020-01-01' } });
    };
    await db.account.update({ where: { id: site.account.id }, data: { consentVersion: '2020-01-01' } });
    await zoya.ask(`/start ${await tokenFromSite(site)}`, /Связать этот чат/);
    await zoya.choose('Связать', /Готово: бот связан/);
    expect(await readVersions()).toEqual([version, version]);

    await outdate();
    expect((await call(site, 'POST', '/api/account/consents', { kind: 'documents', version })).statusCode).toBe(200);
    expect(await readVersions()).toEqual([version, version]);

    await outdate();
    const after = zoya.lastMessageId;
    await zoya.ask('/balance', /в новой редакции/);
    await zoya.choose('Мне есть 18, принимаю', /Пришлите фото товара/, { after });
    expect(await readVersions()).toEqual([version, version]);
  });

  it('an address works once, and not for a second Telegram', async () => {
    const site = await registerVerified(harness.testApp);
    const [clara, dina] = [await harness.newMember(), await harness.newMember()];
    const token = await tokenFromSite(site);
    for (const user of [clara, dina]) {
      await user.ask(`/start ${token}`, /Связать этот чат/);
    }
    await clara.choose('Связать', /Готово: бот связан/);
    dina.press('Связать');
    await dina.waitForNotice(/Ссылка устарела или уже использована/);
    await dina.ask(`/start ${token}`, /Ссылка устарела/);
    expect((await call(site, 'POST', '/api/telegram/link-address', { password: PASSWORD })).json().code).toBe(
      'account_has_telegram',
    );
  });

  it('is confirmed again when the first confirmation did not get through', async () => {
    const site = await registerVerified(harness.testApp);
    const fanny = await harness.newMember();
    await fanny.ask(`/start ${await tokenFromSite(site)}`, /Связать этот чат/);
    harness.telegram.upset('editMessageText', { kind: 'refuse', status: 500, description: 'Internal Server Error' });
    await fanny.choose('Связать', /Готово: бот связан/);
    expect(fanny.notices().join()).not.toContain('Ссылка устарела');

    // The same holds after unlinking.
    await fanny.ask('/unlink', /Разорвать связь с аккаунтом/);
    harness.telegram.upset('editMessageText', { kind: 'refuse', status: 500, description: 'Internal Server Error' });
    fanny.press('Разорвать связь');
    await harness.settle(fanny);
    await fanny.waitFor(/Связь разорвана/);
    expect(fanny.transcript()).not.toContain('Бот не связан');
  });

  it('an expired address, an unknown one, and one for an unconfirmed e-mail are refused', async () => {
    const site = await registerVerified(harness.testApp);
    const emma = await harness.newMember();
    const token = await tokenFromSite(site);
    await harness.testApp.app.db.linkToken.updateMany({ data: { expiresAt: new Date(Date.now() - 1000) } });
    await emma.ask(`/start ${token}`, /Ссылка устарела/);
    emma.pressData({ messageId: 1 }, `link-go:${'A'.repeat(22)}`);
    await emma.waitForNotice(/Ссылка устарела/);
    const newcomer = await registerUnverified(harness.testApp);
    expect((await call(newcomer, 'POST', '/api/telegram/link-address', { password: PASSWORD })).json().code).toBe(
      'email_not_verified',
    );
  });
});

describe('from the bot', () => {
  it('what was in the bot moves: stars, photos, results, payments; the gift counts once', async () => {
    const site = await registerVerified(harness.testApp);
    const boris = await harness.newMember();
    const { app } = harness.testApp;
    const { id: fromId } = await harness.accountOf(boris);
    const generationId = await createGeneration(app, fromId, 'photosession');
    const photo = await createPhoto(app, fromId);
    // Of the two of the gift, both unspent; five more came otherwise.
    const interviewInvitedAt = new Date();
    await app.db.account.update({ where: { id: fromId }, data: { starBalance: 7, interviewInvitedAt } });
    await app.db.starEntry.create({
      data: { accountId: fromId, kind: 'correction', delta: 5, causeKey: `t:${fromId}` },
    });
    await link(site, boris);
    await boris.waitFor(/Перенесено: 5 звёзд\.\s+Подарок за регистрацию считается один раз.* не перенесено 2 звезды/);
    const account = await harness.accountOf(boris);
    expect([account.id, account.starBalance]).toEqual([site.account.id, 7]);
    expect(account.interviewInvitedAt).toEqual(interviewInvitedAt);
    const { accountId } = await app.db.generation.findUniqueOrThrow({ where: { id: generationId } });
    expect(accountId).toBe(site.account.id);
    expect((await app.db.photo.findUniqueOrThrow({ where: { id: photo.id } })).accountId).toBe(site.account.id);
    expect(await app.db.account.findUnique({ where: { id: fromId } })).toMatchObject({
      starBalance: 0,
      mergedIntoId: account.id,
    });
    const history = (await call(site, 'GET', '/api/stars/history')).json();
    expect(history.entries.map((entry: { delta: number }) => entry.delta).sort()).toEqual([-2, 2, 2, 5]);
    expect(history.entries[0].balance).toBe(7);
  });

  it('a payment in the bot counts on the site, and linking again after unlinking gives no second gift', async () => {
    const { app } = harness.testApp;
    const site = await registerVerified(harness.testApp);
    const dora = await harness.newMember();
    await createPayment(app.db, (await harness.accountOf(dora)).id);
    for (const time of ['first', 'second']) {
      const after = dora.lastMessageId;
      const linked = await link(site, dora);
      expect(linked.statusCode, time).toBe(200);
      expect((await getPremiumStatus(app, site.account.id)).isPremium, time).toBe(true);
      expect(await balanceOf(site), time).toBe(2);
      await dora.ask('/delete', /Этот аккаунт общий с сайтом/);
      await dora.ask('/unlink', /Разорвать связь с аккаунтом/);
      await dora.choose('Разорвать связь', /Связь разорвана/, { after });
      dora.say('/balance');
      // She gets a new account, without the gift and without what was paid.
      await dora.waitFor(/На балансе 0 звёзд.\s+Результаты приходят с логотипом.+не принимают картинки/, { after });
    }
  });

  it('/link gives an address; the page says whose it is, links, and the chat is told', async () => {
    const site = await registerVerified(harness.testApp);
    const fanny = await harness.newMember();
    const token = await tokenFromBot(fanny);
    const preview = await call(site, 'POST', '/api/telegram/link-preview', { token });
    expect(preview.json()).toEqual({ username: `anna${fanny.id}`, firstName: 'Анна' });
    const linked = await call(site, 'POST', '/api/telegram/link', { password: PASSWORD, token });
    expect(linked.json().link).toMatchObject({ firstName: 'Анна' });
    await fanny.waitFor(/Бот связан с аккаунтом сайта/);
    expect((await harness.accountOf(fanny)).id).toBe(site.account.id);
    expect((await call(site, 'POST', '/api/telegram/link', { password: PASSWORD, token })).json().code).toBe(
      'link_token_invalid',
    );
  });

  it('the address that was sent still works when its update is processed again', async () => {
    const site = await registerVerified(harness.testApp);
    const hanna = await harness.newMember();
    const token = await tokenFromBot(hanna);
    await harness.settle(hanna);
    // As if the process had ended after the message and before it was recorded.
    const { db } = harness.testApp.app;
    const last = await db.telegramUpdate.findFirstOrThrow({ where: { chatId: hanna.id }, orderBy: { id: 'desc' } });
    await db.telegramUpdate.update({ where: { id: last.id }, data: { finishedAt: null } });
    await harness.settle(hanna);
    const again = await db.telegramUpdate.findUniqueOrThrow({ where: { id: last.id } });
    expect(again.attempts).toBe(last.attempts + 1);
    expect((await call(site, 'POST', '/api/telegram/link', { password: PASSWORD, token })).statusCode).toBe(200);
  });

  it('a token of the site does not link at the site', async () => {
    const [one, other] = [await registerVerified(harness.testApp), await registerVerified(harness.testApp)];
    const token = await tokenFromSite(one);
    expect((await call(other, 'POST', '/api/telegram/link', { password: PASSWORD, token })).json().code).toBe(
      'link_token_invalid',
    );
  });

  it('two accounts of the site are never made one; after /unlink the other one can be linked, without another gift', async () => {
    const [one, other] = [await registerVerified(harness.testApp), await registerVerified(harness.testApp)];
    const gala = await harness.newMember();
    await link(one, gala);
    await gala.waitFor(/Бот связан с аккаунтом сайта/);
    gala.say(`/start ${await tokenFromSite(other)}`);
    // The answer comes at once, without a question.
    const { buttons } = await gala.waitFor(/связан с другим аккаунтом сайта.*\/unlink в боте\.$/);
    expect(buttons).toEqual([]);
    expect((await harness.accountOf(gala)).id).toBe(one.account.id);
    const question = await gala.ask('/unlink', /Разорвать связь с аккаунтом/);
    expect(question.text).not.toContain('создаётся');
    await gala.choose('Не сейчас', /связь с сайтом осталась/);
    expect((await harness.accountOf(gala)).id).toBe(one.account.id);
    await gala.ask('/unlink', /Разорвать связь с аккаунтом/);
    await gala.choose('Разорвать связь', /Связь разорвана/);
    expect((await stateOf(one)).link).toBeNull();
    await gala.ask('/balance', /На балансе 0 звёзд/);
    await gala.ask(`/start ${await tokenFromSite(other)}`, /Связать этот чат/);
    await gala.choose('Связать', /Готово: бот связан/);
    expect(await balanceOf(other)).toBe(2);
  });
});

describe('a photo that is still on its way to the bot', () => {
  it('belongs to the account of the site once the chat is linked, and everything can be made of it', async () => {
    const { server, app } = harness.testApp;
    const site = await registerVerified(harness.testApp);
    const nelly = await harness.newMember();
    await harness.settle(nelly);
    const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
    harness.telegram.upset('download', { kind: 'hold', until });
    const before = harness.telegram.calls.length;
    nelly.sendPhoto(harness.photo);
    const isAsked = () => harness.telegram.calls.slice(before).some(({ method }) => method === 'getFile');
    await harness.waitUntil(async () => expect(isAsked()).toBe(true));
    await linkChat(app, { accountId: site.account.id, chatId: nelly.id });
    letGo();
    await nelly.waitFor(/Фото принято/);
    const { photos } = (await call(site, 'GET', '/api/photos')).json();
    expect(photos).toHaveLength(1);
    const preview = { url: photos[0].previewUrl, headers: { cookie: site.cookie } };
    expect((await server.inject(preview)).statusCode).toBe(200);
    await nelly.choose(/Видео/, /Видео: поворот/);
    await nelly.choose(/Создать за/, /Прошло/);
    expect(await app.db.generation.count({ where: { accountId: site.account.id } })).toBe(1);
  });
});

describe('the deletion of an account', () => {
  // The embedded database has one connection, so the two never overlap there.
  it.runIf(process.env.TEST_DATABASE_URL).each(['chat', 'site'] as const)(
    'of the %s, asked for while the link is made, ends the link: nothing moves',
    async (side) => {
      const { app, database } = harness.testApp;
      const site = await registerVerified(harness.testApp);
      const lina = await harness.newMember();
      const { id: chatAccountId } = await harness.accountOf(lina);
      const token = await tokenFromBot(lina);
      await harness.settle(lina);
      const accountId = side === 'chat' ? chatAccountId : site.account.id;
      const answers: ReturnType<typeof call>[] = [];
      await app.db.$transaction(async (tx) => {
        await tx.account.update({ where: { id: accountId }, data: { deletionAskedAt: new Date() } });
        answers.push(call(site, 'POST', '/api/telegram/link', { password: PASSWORD, token }));
        await harness.waitUntil(async () => expect(await countLockWaits(database)).toBeGreaterThan(0));
      });
      const [refused] = await Promise.all(answers);
      expect([refused?.statusCode, refused?.json().code]).toEqual([409, 'deletion_asked']);
      expect((await harness.accountOf(lina)).id).toBe(chatAccountId);
      const kept = await app.db.account.findUniqueOrThrow({ where: { id: chatAccountId } });
      expect(kept.mergedIntoId).toBeNull();
    },
  );

  it('is asked for on the site once the chat is linked, whatever button is still there', async () => {
    const { app } = harness.testApp;
    const site = await registerVerified(harness.testApp);
    const mila = await harness.newMember();
    const { id: formerId } = await harness.accountOf(mila);
    await mila.ask('/delete', /Через 30 дней будут стёрты/);
    await linkChat(app, { accountId: site.account.id, chatId: mila.id });
    await mila.choose('Удалить аккаунт', /Этот аккаунт общий с сайтом\. Чтобы удалить его, откройте настройки/);
    // As if the button had been pressed just before the link.
    expect(await requestDeletionFromTelegram(app, formerId)).toBeNull();
    const asked = { id: { in: [formerId, site.account.id] }, deletionAskedAt: { not: null } };
    expect(await app.db.account.count({ where: asked })).toBe(0);
  });
});

describe('while generations run', () => {
  it('the one of the bot is ended with its stars back where the site makes one of the same kind; others go on', async () => {
    const site = await registerVerified(harness.testApp);
    const hanna = await harness.newMember();
    await harness.startVideo(hanna);
    const { app } = harness.testApp;
    const { id: fromId } = await harness.accountOf(hanna);
    expect((await app.db.account.findUniqueOrThrow({ where: { id: fromId } })).starBalance).toBe(1);
    await createGeneration(app, site.account.id, 'video', 'generating');
    await createGeneration(app, fromId, 'model_change', 'generating');
    await link(site, hanna);
    await hanna.waitFor(/Отменено. Звёзды за неё были из подарка за регистрацию, а он считается один раз/);
    await hanna.waitFor(
      /Бот связан с аккаунтом сайта .*\s+Генерация из бота остановлена, .* идёт на сайте\. .*\s+Подарок .* не перенесено 2/,
    );
    expect(hanna.transcript()).not.toMatch(/вернулись/);
    expect(await balanceOf(site)).toBe(2);
    const active = await app.db.generation.findMany({ where: { accountId: site.account.id, status: 'generating' } });
    expect(active.map(({ kind }) => kind).sort()).toEqual(['model_change', 'video']);
  });

  it('one that goes on brings its result and its stars to the account of the site', async () => {
    const site = await registerVerified(harness.testApp);
    const ida = await harness.newMember();
    await harness.startVideo(ida);
    await link(site, ida);
    await ida.waitFor(/Бот связан с аккаунтом сайта/);
    harness.letEngineFinish();
    await ida.waitFor(/Видео готово/, { kind: 'video' });
    const { app } = harness.testApp;
    expect(await app.db.result.count({ where: { accountId: site.account.id } })).toBe(1);
    // Two of the site; of the bot's two one was spent, and the unspent one was the gift's second.
    expect(await balanceOf(site)).toBe(2);
  });
});

describe('results of the site', () => {
  it('come to the chat while its owner wants them, and not after', async () => {
    const site = await registerVerified(harness.testApp);
    const julia = await harness.newMember();
    await link(site, julia);
    await julia.waitFor(/Бот связан/);
    const { app } = harness.testApp;
    const start = async () => {
      const photo = await keepPhoto(app, site.account.id, harness.photo);
      const answer = await call(site, 'POST', '/api/generate', { imageId: photo.id });
      expect(answer.statusCode).toBe(200);
      return answer.json().generationId as string;
    };
    harness.letEngineFinish();
    const first = await start();
    const video = await julia.waitFor(/Видео готово/, { kind: 'video' });
    expect(video.isProtected).toBe(true);
    expect(await app.db.notice.count({ where: { generationId: first, channel: 'telegram' } })).toBe(1);
    await julia.ask('/settings', /звёзды и результаты общие/);
    julia.press(/Присылать сюда/);
    await harness.waitUntil(async () => expect((await stateOf(site)).link?.tellsResults).toBe(false));
    const second = await start();
    await harness.waitUntil(async () => {
      expect((await app.db.generation.findUniqueOrThrow({ where: { id: second } })).status).toBe('completed');
    });
    expect(await app.db.notice.count({ where: { generationId: second, channel: 'telegram' } })).toBe(0);
    expect((await call(site, 'PATCH', '/api/telegram', { tellsResults: true })).json().link.tellsResults).toBe(true);
    expect((await call(site, 'DELETE', '/api/telegram')).json().link).toBeNull();
    await julia.ask('/settings', /Бот не связан с сайтом/);
  });
});
