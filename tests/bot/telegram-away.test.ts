import { expect, it } from 'vitest';
import { useBotHarness } from '#tests/support/bot-harness.ts';

const harness = useBotHarness();

const findUpdate = (updateId: number) =>
  harness.testApp.app.db.telegramUpdate.findUniqueOrThrow({ where: { id: updateId } });

it('an update waits for a Telegram that does not answer, and that counts as no attempt', async () => {
  const anna = await harness.newMember();
  harness.telegram.upset('getFile', { kind: 'hang_up' }, 3);
  const updateId = anna.sendPhoto(harness.photo);
  await anna.waitFor(/Фото принято/);
  await harness.settle(anna);
  expect((await findUpdate(updateId)).attempts).toBe(1);
});

/** More than CHATS_AT_ONCE of the dispatcher. */
const CROWD = 14;
const attemptsOf = (updates: number[]) => Promise.all(updates.map(async (id) => (await findUpdate(id)).attempts));

it('downloads that stall hold nobody’s place, and are tried again like those that never began', async () => {
  const still = await Promise.all(Array.from({ length: CROWD }, () => harness.newMember()));
  harness.telegram.upset('download', { kind: 'stall' }, still.length);
  const updates = still.map((user) => user.sendPhoto(harness.photo));
  // A download that was given up counts as no attempt, so all are under way at once.
  await harness.waitUntil(async () => expect(await attemptsOf(updates)).toEqual(Array(CROWD).fill(1)));
  const stranger = harness.newUser();
  await stranger.join();
  const areWaiting = await Promise.all(updates.map(async (id) => (await findUpdate(id)).finishedAt === null));
  // All of them but those of a machine that was busy for longer than a silence lasts.
  expect(areWaiting.filter(Boolean).length).toBeGreaterThan(0);
  for (const user of still) await user.waitFor(/Фото принято/);
  await Promise.all(still.map((user) => harness.settle(user)));
  expect(await attemptsOf(updates)).toEqual(Array(CROWD).fill(1));
});

it('a server that answers at once is asked for updates once a second', async () => {
  harness.telegram.answersAtOnce = true;
  const before = harness.telegram.polledAt.length;
  await harness.waitUntil(async () => expect(harness.telegram.polledAt.length).toBeGreaterThan(before + 4));
  harness.telegram.answersAtOnce = false;
  // The first answers may belong to a long poll from before.
  // Three pauses. A busy machine shifts both ends.
  const [first = 0, , , last = 0] = harness.telegram.polledAt.slice(before + 1, before + 5);
  expect(last - first).toBeGreaterThan(2_500);
});

it('a message that Telegram wants later comes later, once', async () => {
  const boris = await harness.newMember();
  const description = 'Too Many Requests: retry after 7';
  harness.telegram.upset('sendMessage', { kind: 'refuse', status: 429, description, retryAfter: 7 });
  const startedAt = Date.now();
  const updateId = boris.say('/help');
  await boris.waitFor(/Как это работает/);
  expect(Date.now() - startedAt).toBeGreaterThan(6_900);
  await harness.settle(boris);
  expect((await findUpdate(updateId)).attempts).toBe(1);
  expect(boris.messages().filter(({ text }) => text.startsWith('Как это работает'))).toHaveLength(1);
});

it('chats with a long pause do not delay others', async () => {
  const still = await Promise.all(Array.from({ length: CROWD }, () => harness.newMember()));
  const description = 'Too Many Requests: retry after 40';
  harness.telegram.upset('getFile', { kind: 'refuse', status: 429, description, retryAfter: 40 }, still.length);
  const updates = still.map((user) => user.sendPhoto(harness.photo));
  const asked = () => harness.telegram.calls.filter(({ method, refused }) => method === 'getFile' && refused).length;
  await harness.waitUntil(async () => expect(asked()).toBe(still.length));
  const clara = harness.newUser();
  const startedAt = Date.now();
  await clara.join();
  expect(Date.now() - startedAt).toBeLessThan(30_000);
  // The attempt is undone after Telegram's answer.
  await harness.waitUntil(async () =>
    expect(await findUpdate(updates[0] ?? 0)).toMatchObject({ attempts: 0, finishedAt: null }),
  );
});
