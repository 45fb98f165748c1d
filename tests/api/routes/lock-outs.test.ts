import type { LightMyRequestResponse } from 'fastify';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useTestApp } from '#tests/support/use-test-app.ts';
import {
  newEmail,
  nextAddress,
  PASSWORD,
  readCode,
  readMails,
  registerUnverified,
  registerVerified,
  type TestUser,
} from '#tests/support/users.ts';

const NEW_PASSWORD = 'another-password';
const testApp = useTestApp();
beforeEach(() => testApp.app.db.limitCount.deleteMany());

/** A browser at an address of its own, which keeps the cookies it gets. */
class Device {
  address = nextAddress();
  readonly cookies = new Map<string, string>();

  async post(url: string, payload: object): Promise<LightMyRequestResponse> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const headers = cookie ? { cookie } : {};
    const answer = await testApp.server.inject({ method: 'POST', url, payload, headers, remoteAddress: this.address });
    for (const { name, value, maxAge } of answer.cookies) {
      if (value === '' || maxAge === 0) this.cookies.delete(name);
      else this.cookies.set(name, encodeURIComponent(value));
    }
    return answer;
  }

  logIn(email: string, password = PASSWORD) {
    return this.post('/api/login', { email, password });
  }

  async logInWrongly(email: string, times: number): Promise<number[]> {
    const codes: number[] = [];
    for (let index = 0; index < times; index++) codes.push((await this.logIn(email, `wrong-${index}`)).statusCode);
    return codes;
  }

  askForCode(email: string) {
    return this.post('/api/password-reset/request', { email });
  }

  reset(email: string, code: string) {
    return this.post('/api/password-reset', { email, code, password: NEW_PASSWORD });
  }
}

const waitFor = ({ headers }: LightMyRequestResponse) => Number(headers['retry-after']);
/** Moves the ends of all windows and pauses closer. */
const pass = (seconds: number) =>
  testApp.app.db.$executeRaw`update limit_counts set expire = expire - ${seconds}::int * 1000`;
/** A device that the person has used and signed out from. */
async function createKnownDevice(email: string, password = PASSWORD): Promise<Device> {
  const device = new Device();
  expect((await device.logIn(email, password)).statusCode).toBe(200);
  await device.post('/api/logout', {});
  return device;
}

describe('wrong passwords of strangers', () => {
  it('are not multiplied by tickets from before a new password', async () => {
    const user = await registerVerified(testApp);
    const tickets: Device[] = [];
    for (let index = 0; index < 3; index++) tickets.push(await createKnownDevice(user.email));
    await new Device().askForCode(user.email);
    await vi.waitFor(async () => expect(await readMails(testApp, user.email)).toHaveLength(1), 60_000);
    const owner = new Device();
    expect((await owner.reset(user.email, await readCode(testApp, user.email))).statusCode).toBe(200);
    // All of them stand in one network, so together they have one stranger's ten tries.
    const address = nextAddress();
    const codes: number[] = [];
    for (const device of tickets) {
      device.address = address;
      codes.push(...(await device.logInWrongly(user.email, 5)));
    }
    expect(codes.filter((code) => code === 401)).toHaveLength(10);
    expect((await owner.logIn(user.email, NEW_PASSWORD)).statusCode).toBe(200);
  });

  it('do not lock out a device that has signed in before, however many there are', async () => {
    const { email } = await registerUnverified(testApp);
    const own = await createKnownDevice(email);
    const strangers = Array.from({ length: 12 }, () => new Device());
    for (const stranger of strangers) await stranger.logInWrongly(email, 9);
    const refused = await new Device().logIn(email);
    expect([refused.statusCode, refused.json().message]).toEqual([429, expect.stringContaining('устройства')]);
    expect((await own.logIn(email)).statusCode).toBe(200);
  });

  it('do not lock out another address, and its right password does not clear theirs', async () => {
    const { email } = await registerUnverified(testApp);
    const stranger = new Device();
    await stranger.logInWrongly(email, 11);
    expect((await new Device().logIn(email)).statusCode).toBe(200);
    expect((await stranger.logIn(email)).statusCode).toBe(429);
  });

  it('are paused for 1, 5 and then 15 minutes after every ten, known or not', async () => {
    const { email } = await registerUnverified(testApp);
    for (const target of [email, newEmail()]) {
      const stranger = new Device();
      for (const minutes of [1, 5, 15, 15]) {
        expect(await stranger.logInWrongly(target, 10)).toEqual(Array(10).fill(401));
        const refused = await stranger.logIn(target);
        expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_requests']);
        expect(waitFor(refused)).toBeGreaterThan(minutes * 60 - 30);
        expect(waitFor(refused)).toBeLessThanOrEqual(minutes * 60);
        expect(refused.json().message).toMatch(/^Слишком много неверных паролей\. Повторите через \d+\s(секунд|минут)/);
        await pass(minutes * 60);
      }
    }
  });

  it('from everywhere are stopped after a hundred in an hour', async () => {
    const { email } = await registerUnverified(testApp);
    for (const target of [email, newEmail()]) {
      const codes: number[] = [];
      for (let index = 0; index < 11; index++) codes.push(...(await new Device().logInWrongly(target, 10)));
      expect(codes.filter((code) => code === 401)).toHaveLength(100);
      const refused = await new Device().logIn(target);
      expect([refused.statusCode, waitFor(refused) > 3000]).toEqual([429, true]);
    }
  });

  it('of one IPv6 network count together, and a site has 65,536 of them', async () => {
    const { email } = await registerUnverified(testApp);
    const codes: number[] = [];
    for (let index = 1; index <= 11; index++) {
      const device = new Device();
      device.address = `2001:db8:1:${index % 3}::${index}`;
      codes.push((await device.logIn(email, 'wrong')).statusCode);
    }
    expect(codes).toEqual([...Array(10).fill(401), 429]);
  });

  it('of one network wait for each other, whatever the e-mails, and nobody else waits for them', async () => {
    const { email } = await registerUnverified(testApp);
    const { signInsOfNetwork } = testApp.app.state.semaphores;
    const hashing = Promise.withResolvers<void>();
    const stranger = new Device();
    stranger.address = '2001:db8:9:1::1';
    const busy = [1, 2].map(() => signInsOfNetwork.run('2001:db8:9::', () => hashing.promise));
    let isAnswered = false;
    const waiting = stranger.logIn(newEmail(), 'wrong').finally(() => {
      isAnswered = true;
    });
    expect((await new Device().logIn(email)).statusCode).toBe(200);
    expect(isAnswered).toBe(false);
    hashing.resolve();
    await Promise.all(busy);
    expect((await waiting).statusCode).toBe(401);
  });
});

describe('a device that has signed in before', () => {
  it('has ten tries of its own, and pauses after them', async () => {
    const { email } = await registerUnverified(testApp);
    const device = await createKnownDevice(email);
    expect(await device.logInWrongly(email, 11)).toEqual([...Array(10).fill(401), 429]);
    expect((await new Device().logIn(email)).statusCode).toBe(200);
    await pass(60);
    expect((await device.logIn(email)).statusCode).toBe(200);
  });

  it('is known by a cookie that scripts cannot read and that stays at sign-out', async () => {
    const { email } = await registerUnverified(testApp);
    const device = new Device();
    const cookie = (await device.logIn(email)).cookies.find(({ name }) => name === 'podium_device');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    const logout = await device.post('/api/logout', {});
    expect(logout.statusCode).toBe(204);
    expect(device.cookies.has('podium_device')).toBe(true);
    // With `cookies` in it, browsers would forget the device.
    expect(logout.headers['clear-site-data'] ?? '').not.toContain('cookies');
  });

  it('is not made by a ticket that is forged or for another account', async () => {
    const [victim, attacker] = [await registerUnverified(testApp), await registerUnverified(testApp)];
    const device = await createKnownDevice(attacker.email);
    const own = decodeURIComponent(device.cookies.get('podium_device') ?? '');
    const forgeries = [
      own,
      own.replace(/^\d+/, String(victim.account.id)),
      `${victim.account.id}.${'A'.repeat(16)}.${'A'.repeat(43)}`,
    ];
    await device.logInWrongly(victim.email, 10);
    for (const forgery of forgeries) {
      device.cookies.set('podium_device', encodeURIComponent(forgery));
      expect((await device.logIn(victim.email)).statusCode).toBe(429);
    }
  });

  it('may be one for several accounts', async () => {
    const users: TestUser[] = [];
    const device = new Device();
    for (let index = 0; index < 3; index++) {
      const user = await registerUnverified(testApp);
      users.push(user);
      await device.logIn(user.email);
    }
    for (const { email } of users) {
      const stranger = new Device();
      stranger.address = device.address;
      await stranger.logInWrongly(email, 10);
      expect((await device.logIn(email)).statusCode).toBe(200);
    }
  });

  it('forgets its wrong passwords after the right one', async () => {
    const { email } = await registerUnverified(testApp);
    const device = new Device();
    for (let round = 0; round < 3; round++) {
      await device.logInWrongly(email, 9);
      expect((await device.logIn(email)).statusCode).toBe(200);
    }
  });
});

describe('reset codes', () => {
  const countMails = async (email: string) => (await readMails(testApp, email)).length;
  /** Asks for a code and waits for the mail, which is sent after the answer. */
  async function ask(device: Device, email: string): Promise<string> {
    const before = await countMails(email);
    expect((await device.askForCode(email)).statusCode).toBe(204);
    await vi.waitFor(async () => expect(await countMails(email)).toBe(before + 1), { timeout: 60_000 });
    return readCode(testApp, email);
  }

  it('are not used up by the guesses of strangers', async () => {
    const { email } = await registerVerified(testApp);
    const [owner, stranger] = [new Device(), new Device()];
    const code = await ask(owner, email);
    await ask(stranger, email);
    for (let index = 0; index < 20; index++) await stranger.reset(email, 'AAAAAA');
    expect((await owner.reset(email, code)).statusCode).toBe(200);
  });

  it('are mailed although a stranger has just asked for one', async () => {
    const { email } = await registerVerified(testApp);
    await ask(new Device(), email);
    const owner = new Device();
    expect((await owner.reset(email, await ask(owner, email))).statusCode).toBe(200);
  });

  it('have five tries each for the browser that asked, then count against the address', async () => {
    const { email } = await registerVerified(testApp);
    for (const target of [email, newEmail()]) {
      const device = new Device();
      await device.askForCode(target);
      // The address is used up by somebody else behind it.
      const neighbour = new Device();
      neighbour.address = device.address;
      const without: number[] = [];
      for (let index = 0; index < 11; index++) without.push((await neighbour.reset(target, 'AAAAAA')).statusCode);
      expect(without).toEqual([...Array(10).fill(400), 429]);
      const withHandle: number[] = [];
      for (let index = 0; index < 6; index++) withHandle.push((await device.reset(target, 'AAAAAA')).statusCode);
      expect(withHandle).toEqual([...Array(5).fill(400), 429]);
      const refused = await device.reset(target, 'AAAAAA');
      expect(refused.json().message).toMatch(/^Слишком много неверных кодов\. Повторите через/);
      // Another code has five tries again.
      await pass(60);
      await device.askForCode(target);
      expect((await device.reset(target, 'AAAAAA')).statusCode).toBe(400);
    }
  });

  it('are taken on another device than the one that asked', async () => {
    const { email } = await registerVerified(testApp);
    const code = await ask(new Device(), email);
    expect((await new Device().reset(email, code)).statusCode).toBe(200);
  });

  it('are not compared for an invented handle', async () => {
    const { email } = await registerVerified(testApp);
    const code = await ask(new Device(), email);
    const stranger = new Device();
    for (let index = 0; index < 10; index++) await stranger.reset(email, 'AAAAAA');
    stranger.cookies.set('podium_reset', 'A'.repeat(32));
    expect((await stranger.reset(email, code)).statusCode).toBe(400);
  });

  it('are at most three at once, all used up by the first right one', async () => {
    const { email } = await registerVerified(testApp);
    const codes: string[] = [];
    for (let index = 0; index < 3; index++) codes.push(await ask(new Device(), email));
    await pass(600);
    codes.push(await ask(new Device(), email));
    const [first = '', second = '', third = ''] = codes;
    expect((await new Device().reset(email, first)).json().code).toBe('invalid_code');
    expect((await new Device().reset(email, second)).statusCode).toBe(200);
    expect((await new Device().reset(email, third)).json().code).toBe('invalid_code');
  });

  it('of a known device are not pushed out by those that strangers ask for', async () => {
    const { email } = await registerVerified(testApp);
    const own = await createKnownDevice(email);
    const code = await ask(own, email);
    const first = await ask(new Device(), email);
    for (let index = 0; index < 2; index++) await ask(new Device(), email);
    // Theirs replace one another, so that there are three.
    expect((await new Device().reset(email, first)).json().code).toBe('invalid_code');
    expect((await own.reset(email, code)).statusCode).toBe(200);
  });

  it('that are asked for past three do not push one out: the newest works until it ends, then there is another', async () => {
    const { email } = await registerVerified(testApp);
    const codes = [await ask(new Device(), email), await ask(new Device(), email), await ask(new Device(), email)];
    for (const target of [email, newEmail()]) {
      if (target !== email) for (let index = 0; index < 3; index++) await new Device().askForCode(target);
      const refused = await new Device().askForCode(target);
      expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_requests']);
      expect(refused.json().message).toMatch(
        /^На этот email запросили слишком много кодов\. Введите код из последнего/,
      );
      // As long as a code is valid.
      expect(waitFor(refused)).toBeLessThanOrEqual(600);
    }
    await pass(600);
    expect((await new Device().askForCode(newEmail())).statusCode).toBe(204);
    expect((await new Device().reset(email, codes[2] ?? '')).statusCode).toBe(200);
  });

  it('are asked for once a minute by a browser, which is told so, known or not', async () => {
    const { email } = await registerVerified(testApp);
    for (const target of [email, newEmail()]) {
      const device = new Device();
      expect((await device.askForCode(target)).statusCode).toBe(204);
      const again = await device.askForCode(target);
      expect([again.statusCode, again.json().code]).toEqual([429, 'code_requested_too_soon']);
      expect(waitFor(again)).toBeGreaterThan(30);
      await pass(60);
      expect((await device.askForCode(target)).statusCode).toBe(204);
    }
  });

  it('are still mailed to a known device when strangers have taken all places', async () => {
    const { email } = await registerVerified(testApp);
    const own = await createKnownDevice(email);
    for (let index = 0; index < 3; index++) await ask(new Device(), email);
    expect((await new Device().askForCode(email)).statusCode).toBe(429);
    expect((await own.reset(email, await ask(own, email))).statusCode).toBe(200);
  });
});
