import sharp from 'sharp';
import { expect, test } from 'vitest';
import { endGeneration } from '#api/services/generations/running/outcome.ts';
import { useBotHarness } from '#tests/support/bot-harness.ts';
import { createFakeGarmentChecker } from '#tests/support/fake-garment-checker.ts';
import type { FakeMessage } from '#tests/support/fake-telegram-methods.ts';
import type { TelegramUser } from '#tests/support/telegram-user.ts';

const checker = createFakeGarmentChecker();
const harness = useBotHarness({}, { garmentChecker: checker });

/** A member whose video shows another print than the photo. */
async function memberWithDrift(): Promise<{ member: TelegramUser; accountId: number; notice: FakeMessage }> {
  const member = await harness.newMemberWithPhoto();
  await member.choose(/Видео/, /Создать|Цена/);
  checker.find('drifted');
  harness.letEngineFinish();
  const notice = await member.choose(/Создать за/, /Проверьте принт[\s\S]*Слева — фото/, { kind: 'photo' });
  expect(await sharp(harness.bytesOf(notice.fileId)).metadata()).toMatchObject({ width: 756, height: 384 });
  const { id: accountId } = await harness.accountOf(member);
  return { member, accountId, notice: { ...notice } };
}

const rerollsOf = (accountId: number) =>
  harness.testApp.app.db.generation.findMany({ where: { accountId, NOT: { rerollOfId: null } } });

test('a drift is shown beside the photo once, and its button makes the video again for nothing', async () => {
  const { member, accountId, notice } = await memberWithDrift();
  const { starBalance } = await harness.accountOf(member);
  harness.testApp.engine.behave({ say: 'running' });
  await member.choose('Переделать бесплатно', /Прошло/, { kind: 'photo' });
  checker.find('kept');
  harness.letEngineFinish();
  await member.waitFor(/готово за/, { kind: 'photo' });
  await harness.finishJobs();
  expect(await rerollsOf(accountId)).toMatchObject([{ status: 'completed', stars: 0 }]);
  expect((await harness.accountOf(member)).starBalance).toBe(starBalance);
  // The button of an older version of the message is pressed again.
  member.pressData(notice, notice.buttons[0]?.callback_data ?? '');
  await member.waitForNotice(/Бесплатная переделка уже была/);
  expect(await rerollsOf(accountId)).toHaveLength(1);
});

test('a re-roll that fails says nothing about stars and may be repeated', async () => {
  const { app } = harness.testApp;
  const { member, accountId } = await memberWithDrift();
  harness.testApp.engine.behave({ say: 'running' });
  await member.choose('Переделать бесплатно', /Прошло/, { kind: 'photo' });
  const [first] = await rerollsOf(accountId);
  if (!first) throw new Error('there is no re-roll');
  await endGeneration(app, first, 'engine_overloaded');
  await member.waitFor(/Не получилось: сервис генерации перегружен. Звёзды за неё не списывались/, { kind: 'photo' });
  member.press('Переделать бесплатно');
  await harness.waitUntil(async () => expect(await rerollsOf(accountId)).toHaveLength(2));
});
