import { expect, it } from 'vitest';
import { useBotStudio } from '#tests/support/bot-studio.ts';

const studio = useBotStudio();

const findUpdate = (updateId: number) =>
  studio.testApp.app.db.telegramUpdate.findUniqueOrThrow({ where: { id: updateId } });

it('an update waits for a Telegram that does not answer, and that counts as no attempt', async () => {
  const anna = await studio.newMember();
  studio.telegram.upset('getFile', { kind: 'hang_up' }, 3);
  const updateId = anna.sendPhoto(studio.photo);
  await anna.waitFor(/Фото принято/);
  await studio.settle(anna);
  expect((await findUpdate(updateId)).attempts).toBe(1);
});

it('a message that Telegram wants later comes later, once', async () => {
  const boris = await studio.newMember();
  const description = 'Too Many Requests: retry after 7';
  studio.telegram.upset('sendMessage', { kind: 'refuse', status: 429, description, retryAfter: 7 });
  const startedAt = Date.now();
  const updateId = boris.say('/help');
  await boris.waitFor(/Как это работает/);
  expect(Date.now() - startedAt).toBeGreaterThan(6_900);
  await studio.settle(boris);
  expect((await findUpdate(updateId)).attempts).toBe(1);
  expect(boris.messages().filter(({ text }) => text.startsWith('Как это работает'))).toHaveLength(1);
});

it('chats with a long pause do not delay others', async () => {
  const still = await Promise.all(Array.from({ length: 13 }, () => studio.newMember()));
  const description = 'Too Many Requests: retry after 40';
  studio.telegram.upset('getFile', { kind: 'refuse', status: 429, description, retryAfter: 40 }, still.length);
  const updates = still.map((person) => person.sendPhoto(studio.photo));
  const asked = () => studio.telegram.calls.filter(({ method, refused }) => method === 'getFile' && refused).length;
  await studio.waitUntil(async () => expect(asked()).toBe(still.length));
  const clara = studio.newPerson();
  const startedAt = Date.now();
  await clara.join();
  expect(Date.now() - startedAt).toBeLessThan(30_000);
  // The attempt is undone after Telegram's answer.
  await studio.waitUntil(async () =>
    expect(await findUpdate(updates[0] ?? 0)).toMatchObject({ attempts: 0, finishedAt: null }),
  );
});
