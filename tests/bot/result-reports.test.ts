import { describe, expect, it } from 'vitest';
import { closeReport } from '#api/services/administration/reports.ts';
import { useBotHarness } from '#tests/support/bot-harness.ts';
import { createGeneration, createImageResult } from '#tests/support/factories.ts';
import { FAKE_BOT } from '#tests/support/fake-telegram-methods.ts';

const harness = useBotHarness();

/** A member whose photo session with so many frames was sent to the chat. */
async function memberWithSession(frames: number) {
  const { app } = harness.testApp;
  const member = await harness.newMember();
  const { id: accountId } = await harness.accountOf(member);
  const generationId = await createGeneration(app, accountId, 'photosession');
  for (let position = 0; position < frames; position++) {
    await createImageResult(app, accountId, { generationId, position, width: 300, height: 400 });
  }
  const job = { generationId, chatId: String(member.id) };
  await app.db.$transaction((tx) => app.queue.send(tx, 'send-telegram-result', job));
  await harness.finishJobs();
  return { member, accountId };
}

const listReports = (accountId: number) =>
  harness.testApp.app.db.resultReport.findMany({ where: { accountId }, include: { result: true } });

describe('a complaint in the chat', () => {
  it('names the frame and the reason, and its decision is told once', async () => {
    const { member, accountId } = await memberWithSession(2);
    await member.choose('Пожаловаться', /На какой кадр/);
    await member.choose('Кадр 2', /Что не так/);
    await member.choose(/руки, лицо/, /Жалоба отправлена/);
    const [report] = await listReports(accountId);
    expect(report).toMatchObject({ reason: 'person_distorted', comment: null, result: { position: 1 } });

    const { app } = harness.testApp;
    await closeReport(app, 3, report?.id ?? '', { decision: 'no_action', answer: 'Так и на фото' });
    await member.waitFor(/Жалоба рассмотрена\. Фотосессия: результат оставлен как есть[\s\S]*Так и на фото/);
    const reportId = report?.id ?? '';
    await app.db.$transaction((tx) => app.queue.send(tx, 'tell-telegram-report', { reportId }));
    await harness.finishJobs();
    expect(member.messages().filter(({ text }) => /Жалоба рассмотрена/.test(text))).toHaveLength(1);
  });

  it('takes the person’s own words as an answer to its question', async () => {
    const { member, accountId } = await memberWithSession(1);
    await member.choose('Пожаловаться', /Что не так/);
    const question = await member.choose('Другое', /ответьте на это сообщение/);
    await member.ask('Не та пуговица', /Бот понимает фото и команды/);
    expect(await listReports(accountId)).toEqual([]);
    const quoted = { message_id: question.messageId, date: 1, chat: member.chat, text: question.text };
    const entities = [{ type: 'bot_command', offset: 0, length: 5 }];
    member.send({ text: '/help', entities, reply_to_message: { ...quoted, from: FAKE_BOT } });
    await member.waitFor(/\/balance/);
    expect(await listReports(accountId)).toEqual([]);
    member.send({ text: 'Не та пуговица', reply_to_message: { ...quoted, from: FAKE_BOT } });
    await member.waitFor(/Жалоба отправлена/);
    expect(await listReports(accountId)).toMatchObject([{ reason: 'other', comment: 'Не та пуговица' }]);
  });

  it('cannot be about a result of somebody else', async () => {
    const { member, accountId } = await memberWithSession(1);
    const { buttons } = await member.choose('Пожаловаться', /Что не так/);
    const stranger = await harness.newMember();
    stranger.pressData({ messageId: 1 }, buttons[0]?.callback_data ?? '');
    await stranger.waitForNotice(/сделано в другом аккаунте/);
    expect(await listReports(accountId)).toEqual([]);
  });
});
