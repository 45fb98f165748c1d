import { setTimeout as wait } from 'node:timers/promises';
import { readMailedCode } from '#tests/support/running-server.ts';
import { type AbuseCase, type AbuseFixture, describeAnswer } from './abuse-fixture.ts';

const PASSWORD = 'мокрый-зонтик';
const NEW_PASSWORD = 'сухой-зонтик-дома';
/** Each kind of answer is timed as often. */
const TIMED = 41;
let devices = 0;

/** A browser at an address of its own, which keeps the cookies it gets. */
class Device {
  readonly #fixture: AbuseFixture;
  readonly #address: string;
  readonly #cookies = new Map<string, string>();

  constructor(fixture: AbuseFixture) {
    devices += 1;
    this.#fixture = fixture;
    this.#address = `198.51.${devices >> 8}.${devices & 255}`;
  }

  async post(path: string, body: object): Promise<Response> {
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await this.#fixture.post(path, body, { headers: { 'x-forwarded-for': this.#address, cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }

  async logIn(email: string, password = PASSWORD): Promise<string> {
    return describeAnswer(await this.post('/api/login', { email, password }));
  }

  async reset(email: string, code: string): Promise<string> {
    return describeAnswer(await this.post('/api/password-reset', { email, code, password: NEW_PASSWORD }));
  }
}

async function guess(fixture: AbuseFixture, email: string, times: number): Promise<void> {
  for (let index = 0; index < times; index += 10) {
    const stranger = new Device(fixture);
    for (let turn = 0; turn < Math.min(10, times - index); turn++) await stranger.logIn(email, `wrong-${turn}`);
  }
}

/** Somebody who keeps another person out, and what is left of guessing. */
export const LOCK_OUT_CASES: AbuseCase[] = [
  {
    name: 'ten wrong passwords from elsewhere, then the owner from an address that is new',
    expected: '200',
    async try(fixture) {
      await fixture.register('locked-a@example.com');
      await guess(fixture, 'locked-a@example.com', 10);
      return new Device(fixture).logIn('locked-a@example.com');
    },
  },
  {
    name: 'two hundred wrong passwords from twenty addresses, then the owner on a known device and a stranger',
    expected: '200 and 429 too_many_requests',
    async try(fixture) {
      const email = 'locked-b@example.com';
      await fixture.register(email);
      const own = new Device(fixture);
      await own.logIn(email);
      await own.post('/api/logout', {});
      await guess(fixture, email, 200);
      return `${await own.logIn(email)} and ${await new Device(fixture).logIn(email)}`;
    },
  },
  {
    name: 'the known device of another account',
    expected: '429 too_many_requests',
    async try(fixture) {
      await fixture.register('locked-c@example.com');
      await fixture.register('attacker-c@example.com');
      const attacker = new Device(fixture);
      await attacker.logIn('attacker-c@example.com');
      for (let turn = 0; turn < 10; turn++) await attacker.logIn('locked-c@example.com', `wrong-${turn}`);
      return attacker.logIn('locked-c@example.com');
    },
  },
  {
    name: 'a reset that strangers ask for and guess at, then the owner’s own',
    expected: '204, then 200',
    async try(fixture) {
      const email = 'locked-d@example.com';
      await fixture.register(email);
      const stranger = new Device(fixture);
      await stranger.post('/api/password-reset/request', { email });
      for (let turn = 0; turn < 12; turn++) await stranger.reset(email, 'AAAAAA');
      const owner = new Device(fixture);
      const first = await readMailedCode(fixture.server.dataDir, email);
      const asked = await describeAnswer(await owner.post('/api/password-reset/request', { email }));
      return `${asked}, then ${await owner.reset(email, await readNextCode(fixture, email, first))}`;
    },
  },
  {
    name: 'twenty guesses at a reset code without having asked for one',
    expected: '400 ten times, then 429',
    async try(fixture) {
      await fixture.register('locked-e@example.com');
      await new Device(fixture).post('/api/password-reset/request', { email: 'locked-e@example.com' });
      const stranger = new Device(fixture);
      const answers: string[] = [];
      for (let turn = 0; turn < 20; turn++) answers.push(await stranger.reset('locked-e@example.com', 'AAAAAA'));
      const isRight = answers.every((answer, index) => answer.startsWith(index < 10 ? '400' : '429'));
      return isRight ? '400 ten times, then 429' : answers.join();
    },
  },
  {
    name: 'whether an address has an account, by the time of a wrong password (medians of many)',
    expected: 'no difference above a fifth',
    async try(fixture) {
      await fixture.register('timed@example.com');
      const times = { known: [] as number[], unknown: [] as number[] };
      // The two kinds alternate, so that other load on the machine slows both alike.
      for (let turn = 0; turn < TIMED; turn++) {
        for (const kind of ['known', 'unknown'] as const) {
          // One address of each kind, so that the same rows are counted in.
          const email = kind === 'known' ? 'timed@example.com' : 'nobody@example.com';
          const device = new Device(fixture);
          const startedAt = performance.now();
          await device.logIn(email, 'wrong');
          times[kind].push(performance.now() - startedAt);
        }
      }
      const [known, unknown] = [findMedian(times.known), findMedian(times.unknown)];
      const isAlike = Math.abs(known - unknown) < 0.2 * Math.max(known, unknown);
      return isAlike ? 'no difference above a fifth' : `${known.toFixed(1)} ms known, ${unknown.toFixed(1)} ms unknown`;
    },
  },
];

/** The mail is sent after the answer. */
async function readNextCode(fixture: AbuseFixture, email: string, former: string): Promise<string> {
  for (let turn = 0; turn < 100; turn++) {
    const code = await readMailedCode(fixture.server.dataDir, email);
    if (code !== former) return code;
    await wait(100);
  }
  throw new Error(`no further code was mailed to ${email}`);
}

function findMedian(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
