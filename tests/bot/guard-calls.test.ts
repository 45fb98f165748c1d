import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTelegramApi } from '#api/adapters/telegram/create-telegram-api.ts';
import { NotLeadingError } from '#api/database/leadership.ts';
import { guardCalls } from '#bot/guard-calls.ts';
import { sendOnce } from '#bot/send-once.ts';
import { createFakeTelegram, FAKE_TOKEN, type FakeTelegram } from '#tests/support/fake-telegram.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

const WAIT = { timeout: 60_000, interval: 20 };

const testApp = useTestApp();
let telegram: FakeTelegram;
beforeAll(async () => {
  telegram = await createFakeTelegram();
});
afterAll(async () => {
  await telegram.close();
});

const createApi = () => createTelegramApi({ token: FAKE_TOKEN, apiRoot: telegram.apiRoot });
const countSent = (text: string) => telegram.messages.filter((message) => message.text === text).length;

/** The lease of a process that leads until `lose` is called. */
function newTerm() {
  const losing = new AbortController();
  const check = () => {
    if (losing.signal.aborted) throw new NotLeadingError();
  };
  return { lease: { lost: losing.signal, check }, lose: () => losing.abort() };
}

it('a message that waits for its turn while the lead is lost is sent by the next leader, and only by it', async () => {
  const { lease, lose } = newTerm();
  const api = createApi();
  // Every later call waits here, as in a chat past its burst.
  const turn = Promise.withResolvers<void>();
  const waiting = vi.fn();
  api.config.use(async (call, method, payload, signal) => {
    waiting();
    await turn.promise;
    return call(method, payload, signal);
  });
  const guarded = guardCalls(api, lease);
  const message = { causeKey: 'guard:waits', chatId: 1 };
  const lost = sendOnce(testApp.app, message, () => guarded.sendMessage(1, 'waits'));
  const refusal = expect(lost).rejects.toThrow(NotLeadingError);
  await vi.waitFor(() => expect(waiting).toHaveBeenCalled(), WAIT);
  lose();
  await refusal;
  // The turn of the old call has not come yet.
  expect(await sendOnce(testApp.app, message, () => createApi().sendMessage(1, 'waits'))).not.toBeNull();
  turn.resolve();
  await new Promise(setImmediate);
  expect(countSent('waits')).toBe(1);
});

it('a message that is on its way while the lead is lost counts as sent', async () => {
  const { lease, lose } = newTerm();
  const answered = Promise.withResolvers<void>();
  telegram.upset('sendMessage', { kind: 'hold', until: answered.promise });
  const guarded = guardCalls(createApi(), lease);
  const message = { causeKey: 'guard:sent', chatId: 2 };
  const sending = sendOnce(testApp.app, message, () => guarded.sendMessage(2, 'sent'));
  await vi.waitFor(() => expect(countSent('sent')).toBe(1), WAIT);
  lose();
  answered.resolve();
  expect(await sending).not.toBeNull();
  expect(await sendOnce(testApp.app, message, () => createApi().sendMessage(2, 'sent'))).toBeNull();
  expect(countSent('sent')).toBe(1);
});
