import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { type AbuseCase, type AbuseFixture, cookieOf, describeAnswer, describeRaw } from './abuse-fixture.ts';

/** Time for the server to notice that a caller has hung up. */
const NOTICE_MS = 2_000;

/** Requests for another host, from another site, for files outside, and for what the caller may not have. */
export const FORGED_CASES: AbuseCase[] = [
  {
    name: 'a made-up Host',
    expected: '421 unknown_host',
    try: async (fixture) =>
      describeAnswer(await fixture.call('/', { headers: { 'x-forwarded-host': 'evil.example' } })),
  },
  {
    name: 'the address of the server as Host',
    expected: '421 unknown_host',
    async try(fixture) {
      const { socket, answer } = fixture.open();
      socket.write('GET /api/catalogue HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
      return describeRaw(await answer);
    },
  },
  {
    name: 'monitoring by the address of the server',
    expected: '200 200 200',
    async try({ server }) {
      const answers = await Promise.all(['/healthz', '/readyz', '/metrics'].map((path) => fetch(server.url + path)));
      return answers.map(({ status }) => status).join(' ');
    },
  },
  {
    name: 'a form of another site',
    expected: '403 foreign_origin',
    try: async (fixture) =>
      describeAnswer(
        await fixture.call('/api/logout', { method: 'POST', headers: { origin: 'https://evil.example' } }),
      ),
  },
  {
    name: 'a page that frames ours, guesses types or learns addresses',
    expected: "DENY, nosniff, frame-ancestors 'none', max-age=31536000, strict-origin-when-cross-origin",
    async try(fixture) {
      const { headers } = await fixture.call('/');
      const policy = headers.get('content-security-policy') ?? '';
      return [
        headers.get('x-frame-options'),
        headers.get('x-content-type-options'),
        /frame-ancestors 'none'/.exec(policy)?.[0],
        headers.get('strict-transport-security'),
        headers.get('referrer-policy'),
      ].join(', ');
    },
  },
  {
    name: 'paths that climb out of their folder',
    expected: '404',
    async try(fixture) {
      const climbs = ['/..%2f..%2fpackage.json', '/assets/..%2f..%2f..%2f.env', '/%2e%2e/x'];
      const statuses = await Promise.all(climbs.map(async (path) => (await fixture.call(path)).status));
      return [...new Set(statuses)].join(' ');
    },
  },
  {
    name: 'a picture from another server (SSRF)',
    expected: '400 image_url_foreign',
    async try(fixture) {
      const cookie = await fixture.register('ssrf@example.com');
      return describeAnswer(await fixture.post('/api/download-image', { url: 'http://169.254.169.254/' }, { cookie }));
    },
  },
];

/** Attempts at accounts. */
export const ACCOUNT_CASES: AbuseCase[] = [
  {
    name: 'one of the commonest passwords',
    expected: '400 password_common',
    try: async (fixture) =>
      describeAnswer(await fixture.post('/api/register', { email: 'a@example.com', password: 'Qwerty123' })),
  },
  {
    name: 'rights and stars in a registration',
    expected: 'isAdmin false, balance 0, 403 forbidden',
    async try(fixture) {
      const wanted = { email: 'rights@example.com', password: 'мокрый-зонтик', isAdmin: true, starBalance: 500, id: 3 };
      const registered = await fixture.post('/api/register', wanted);
      const cookie = cookieOf(registered);
      const { isAdmin } = (await registered.json()) as { isAdmin: boolean };
      const { balance } = (await (await fixture.call('/api/stars/balance', { cookie })).json()) as { balance: number };
      return `isAdmin ${isAdmin}, balance ${balance}, ${await describeAnswer(await fixture.call('/api/admin/users', { cookie }))}`;
    },
  },
  {
    name: 'the cookie of a session in production',
    expected: '__Host-podium_session; Path=/; HttpOnly; Secure; SameSite=Lax',
    async try(fixture) {
      const answer = await fixture.post('/api/register', { email: 'cookie@example.com', password: 'мокрый-зонтик' });
      const [name = '', ...attributes] = answer.headers.getSetCookie()[0]?.split('; ') ?? [];
      return [name.split('=')[0], ...attributes.filter((attribute) => !attribute.startsWith('Max-Age'))].join('; ');
    },
  },
  {
    name: 'a session that is planted in a cookie without the prefix of this host',
    expected: '401 unauthorized',
    async try(fixture) {
      const planted = (await fixture.register('plain@example.com')).replace('__Host-', '');
      return describeAnswer(await fixture.call('/api/auth/user', { cookie: planted }));
    },
  },
  {
    name: 'a session that was planted before the sign-in',
    expected: 'another session, and 401 unauthorized with the planted one',
    async try(fixture) {
      await fixture.register('fixed@example.com');
      const planted = await fixture.register('planter@example.com');
      const body = { email: 'fixed@example.com', password: 'мокрый-зонтик' };
      const own = cookieOf(await fixture.post('/api/login', body, { cookie: planted }));
      const former = await describeAnswer(await fixture.call('/api/auth/user', { cookie: planted }));
      return `${own === planted ? 'the same' : 'another'} session, and ${former} with the planted one`;
    },
  },
  {
    name: 'whether an address has an account, at sign-in and reset',
    expected: 'the same answers',
    async try(fixture) {
      await fixture.register('known@example.com');
      const ask = async (email: string) => [
        await (await fixture.post('/api/login', { email, password: 'wrong' })).text(),
        (await fixture.post('/api/password-reset/request', { email })).status,
        await (await fixture.post('/api/password-reset', { email, code: 'AAAAAA', password: 'другой-зонтик' })).text(),
      ];
      const [known, unknown] = [await ask('known@example.com'), await ask('unknown@example.com')];
      return JSON.stringify(known) === JSON.stringify(unknown) ? 'the same answers' : `${known} and ${unknown}`;
    },
  },
  {
    name: 'twelve passwords for one e-mail from one address',
    expected: '401 ten times, then 429',
    async try(fixture) {
      await fixture.register('guessed@example.com');
      const statuses: number[] = [];
      for (let index = 0; index < 12; index++) {
        statuses.push(
          (await fixture.post('/api/login', { email: 'guessed@example.com', password: `guess-${index}` })).status,
        );
      }
      return statuses.join() === [...Array(10).fill(401), 429, 429].join()
        ? '401 ten times, then 429'
        : statuses.join();
    },
  },
];

/** Callers who hang up. What counts is what the server says about them in its log. */
export const HANG_UP_CASES: AbuseCase[] = [
  hangUp('an upload', async (fixture, cookie) => {
    const headers = [`Cookie: ${cookie}`, 'Content-Type: multipart/form-data; boundary=b', 'Content-Length: 5000000'];
    return `${fixture.head('POST', '/api/upload', headers)}--b\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n${'x'.repeat(100_000)}`;
  }),
  hangUp('a stream of events', async (fixture, cookie) => fixture.head('GET', '/api/events', [`Cookie: ${cookie}`])),
  hangUp(
    'JSON',
    async (fixture) =>
      `${fixture.head('POST', '/api/login', ['Content-Type: application/json', 'Content-Length: 99'])}{"a"`,
  ),
  hangUp('headers', async () => 'GET / HTTP/1.1\r\nHost: po'),
  hangUp('the largest page', async (fixture) => fixture.head('GET', '/').repeat(50)),
];

function hangUp(what: string, write: (fixture: AbuseFixture, cookie: string) => Promise<string>): AbuseCase {
  return {
    name: `a caller who hangs up in the middle of ${what}`,
    expected: 'nothing in the log',
    async try(fixture) {
      const cookie = await fixture.register(`${what.replaceAll(' ', '-')}@example.com`.toLowerCase());
      const text = await write(fixture, cookie);
      const before = fixture.server.output().length;
      for (const delayMs of [0, 5, 50, 300]) {
        const { socket } = fixture.open();
        await once(socket, 'connect');
        socket.write(text);
        await wait(delayMs);
        socket.resetAndDestroy();
      }
      await wait(NOTICE_MS);
      const lines = fixture.server.output().slice(before).trim().split('\n');
      // The bot of this server has nobody to talk to.
      return lines.filter((line) => !line.includes('Telegram')).join('; ') || 'nothing in the log';
    },
  };
}
