import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createLeadership } from '#api/database/leadership.ts';
import { startBot } from '#bot/main.ts';
import { createFakeTelegram, FAKE_TOKEN, type FakeTelegram } from '#tests/support/fake-telegram.ts';
import { TelegramUser } from '#tests/support/telegram-user.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let testApp: TestApp;
let telegram: FakeTelegram;
beforeAll(async () => {
  telegram = await createFakeTelegram();
  testApp = await createTestApp({ env: { TELEGRAM_BOT_TOKEN: FAKE_TOKEN, TELEGRAM_API_ROOT: telegram.apiRoot } });
});
afterAll(async () => {
  await testApp.close();
  await telegram.close();
});

it('a bot that a failure of the program has ended leads again', async () => {
  const { app } = testApp;
  const real = createLeadership(testApp.database, app.log);
  const runAsLeader = vi.fn(real.runAsLeader).mockImplementationOnce(async (signal, work) => {
    await real.runAsLeader(signal, (lease) => work({ ...lease, ending: null as never }));
  });
  const stop = await startBot({ ...app, leadership: { runAsLeader } });
  await new TelegramUser(telegram).join();
  expect(runAsLeader).toHaveBeenCalledTimes(2);
  await stop();
});
