import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { createFakeTelegram, FAKE_TOKEN, type FakeTelegram } from '#tests/support/fake-telegram.ts';
import { type RunningServer, startServer } from '#tests/support/running-server.ts';
import { TelegramUser } from '#tests/support/telegram-user.ts';

/** Enough for a render beside other tests. */
const RENDER_TIMEOUT = { timeout: 400_000, interval: 200 };
let telegram: FakeTelegram;
let running: RunningServer;

beforeAll(async () => {
  telegram = await createFakeTelegram();
  running = await startServer({ env: { TELEGRAM_BOT_TOKEN: FAKE_TOKEN, TELEGRAM_API_ROOT: telegram.apiRoot } });
}, 120_000);

afterAll(async () => {
  await running.stop();
  await telegram.close();
});

/** Kills the program while a call of this method waits for its answer, and starts it again. */
async function killDuring(method: string, act: () => void): Promise<void> {
  const calls = () => telegram.calls.filter((call) => call.method === method).length;
  const before = calls();
  telegram.upset(method, { kind: 'hold', until: new Promise<void>(() => undefined) });
  act();
  await vi.waitFor(() => expect(calls()).toBeGreaterThan(before), RENDER_TIMEOUT);
  await running.kill();
  running = await running.startAgain();
}

test('a payment that fits no invoice goes back, and its payer is told once, even when the program is killed meanwhile', async () => {
  const boris = new TelegramUser(telegram);
  await boris.join();
  await killDuring('refundStarPayment', () => {
    boris.send({
      successful_payment: {
        currency: 'XTR',
        total_amount: 250,
        invoice_payload: crypto.randomUUID(),
        telegram_payment_charge_id: 'charge-killed',
        provider_payment_charge_id: '',
      },
    });
  });
  const asked = () => telegram.calls.filter(({ method }) => method === 'refundStarPayment');
  // The first call had its effect, but the program was killed before the answer.
  await vi.waitFor(() => expect(asked().at(-1)?.refused).toMatch(/ALREADY_REFUNDED/), RENDER_TIMEOUT);
  boris.say('/help');
  await boris.waitFor(/Как это работает/);
  expect(asked()).toHaveLength(2);
  expect(boris.messages().filter(({ text }) => text.includes('Telegram вернёт вам 250'))).toHaveLength(1);
}, 900_000);

test('a conversation goes on where it was after every kill of the program, and nothing is done twice', async () => {
  const anna = new TelegramUser(telegram);
  await anna.join();
  const photo = await drawProductPhoto('garment', { width: 600, height: 800 });

  // The answer was being sent. It is not sent again, and the next request is answered.
  await killDuring('sendMessage', () => anna.say('/balance'));
  anna.sendPhoto(photo);
  await anna.waitFor(/Фото принято: 600×800/);
  expect(anna.messages().filter(({ text }) => text.startsWith('На балансе'))).toHaveLength(1);

  anna.press(/Видео/);
  await anna.waitFor(/Видео: поворот, 5 с/);
  await killDuring('editMessageText', () => anna.press('10 с'));
  await anna.waitFor(/Видео: поворот, 10 с/);
  anna.press('5 с');
  await anna.waitFor(/Видео: поворот, 5 с/);

  // The button is pressed while the program does not run.
  await running.kill();
  anna.press(/Создать за/);
  anna.press(/Создать за/);
  running = await running.startAgain();
  await anna.waitFor(/^Видео[\s\S]*Прошло/);

  // Telegram has the file, but its answer did not arrive. The bot sends the file again only on request.
  await killDuring('sendVideo', () => undefined);
  const status = await anna.waitFor(/Видео: готово за/);
  const videos = () => anna.messages().filter(({ kind }) => kind === 'video');
  expect(videos()).toHaveLength(1);
  anna.press('Прислать сюда');
  await vi.waitFor(() => expect(videos()).toHaveLength(2), RENDER_TIMEOUT);
  anna.say('/balance');
  await anna.waitFor(/На балансе 1 звезда/, { after: status.messageId });
  expect(running.output()).not.toMatch(new RegExp(FAKE_TOKEN));
}, 1_800_000);
