import { type AbuseCase, describeAnswer } from './abuse-fixture.ts';

const PASSWORD = 'мокрый-зонтик';

/** A moment at somebody's session, used to give a chat access to the account. */
export const CHAT_ACCESS_CASES: AbuseCase[] = [
  {
    name: 'a stranger’s token at an open session, without the password',
    expected: '400 invalid_request',
    async try(fixture) {
      const cookie = await fixture.register('moment-a@example.com');
      return describeAnswer(await fixture.post('/api/telegram/link', { token: 'A'.repeat(22) }, { cookie }));
    },
  },
  {
    name: 'an address for the bot at an open session, without the password',
    expected: '400 invalid_request',
    async try(fixture) {
      const cookie = await fixture.register('moment-b@example.com');
      return describeAnswer(await fixture.post('/api/telegram/link-address', {}, { cookie }));
    },
  },
  {
    name: 'twelve guesses at the password at an open session',
    expected: '400 ten times, then 429',
    async try(fixture) {
      const cookie = await fixture.register('moment-c@example.com');
      const answers: string[] = [];
      for (let turn = 0; turn < 12; turn++) {
        const body = { currentPassword: `wrong-${turn}`, newPassword: PASSWORD };
        answers.push(await describeAnswer(await fixture.post('/api/account/password', body, { cookie })));
      }
      const isRight = answers.every((answer, index) => answer.startsWith(index < 10 ? '400 wrong' : '429'));
      return isRight ? '400 ten times, then 429' : answers.join();
    },
  },
  {
    name: 'a forged link that parts a chat, and one that is only opened',
    expected: '400 parting_link_invalid and 200',
    async try(fixture) {
      const token = `1.1.${'A'.repeat(43)}`;
      const forged = await describeAnswer(await fixture.post('/api/telegram/part', { token }));
      return `${forged} and ${(await fixture.call(`/chat-access?token=${token}`)).status}`;
    },
  },
];
