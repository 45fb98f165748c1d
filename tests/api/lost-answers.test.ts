import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { encodeFileForm } from '#tests/support/forms.ts';
import { createProxiedApp, type ProxiedApp } from '#tests/support/proxied-app.ts';
import { newEmail, readCode, registerUnverified, registerVerified, type TestUser } from '#tests/support/users.ts';

/** Two processes and a network between them are needed to lose an answer. */
const isOnServer = Boolean(process.env.TEST_DATABASE_URL);
/** pg sends it as a simple query. */
const COMMIT = /^Q[\s\S]{4}COMMIT\0/;

let app: ProxiedApp;
let photo: Buffer;
let user: TestUser;

describe.runIf(isOnServer)('when the connection breaks after the database has done the work', () => {
  beforeAll(async () => {
    app = await createProxiedApp();
    photo = await drawProductPhoto('garment', { width: 300, height: 400 });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    user = await registerVerified(app);
  });
  afterEach(() => app.proxy.loseAnswersTo(null));

  const call = (url: string, payload: object, headers: Record<string, string> = {}) =>
    app.server.inject({ method: 'POST', url, headers: { cookie: user.cookie, ...headers }, payload });
  const upload = async () => {
    const { body, headers } = await encodeFileForm('image', { content: photo, name: 'a.jpg', type: 'image/jpeg' });
    return call('/api/upload', body, headers);
  };
  const start = (imageId: string, key: string) =>
    call('/api/generate', { imageId, settings: {} }, { 'idempotency-key': key });

  /** Loses the answer to the first matching statement of the call. */
  async function loseAnswer(statement: RegExp, work: () => Promise<LightMyRequestResponse>) {
    const before = app.proxy.lost();
    app.proxy.loseAnswersTo(statement, () => app.proxy.lost() === before);
    const answer = await work();
    app.proxy.loseAnswersTo(null);
    expect(app.proxy.lost()).toBe(before + 1);
    return answer;
  }

  test('a start is answered with its generation, and holds the star once', async () => {
    const { id: imageId } = (await upload()).json();
    const answer = await loseAnswer(COMMIT, () => start(imageId, 'one'));
    expect(answer.statusCode).toBe(200);
    const rows = await app.app.db.generation.findMany({ where: { accountId: user.account.id } });
    expect(rows.map(({ id }) => id)).toEqual([answer.json().generationId]);
    expect((await app.server.inject({ url: '/api/stars/balance', headers: { cookie: user.cookie } })).json()).toEqual({
      balance: 1,
    });
  });

  test('an upload is answered with its photo, whose files are there', async () => {
    const answer = await loseAnswer(COMMIT, () => upload());
    expect(answer.statusCode).toBe(200);
    const preview = { url: answer.json().previewUrl, headers: { cookie: user.cookie } } satisfies InjectOptions;
    expect((await app.server.inject(preview)).statusCode).toBe(200);
  });

  test('an invoice is answered with its page, and there is one', async () => {
    const answer = await loseAnswer(COMMIT, () => call('/api/payments/create-invoice', { packageId: 1 }));
    expect([answer.statusCode, answer.json().paymentUrl]).toEqual([200, expect.stringContaining('/sandbox/pay/')]);
    expect(await app.app.db.payment.count({ where: { accountId: user.account.id } })).toBe(1);
  });

  test('a registration signs in, and its code is mailed', async () => {
    const email = newEmail();
    const register = () =>
      app.server.inject({ method: 'POST', url: '/api/register', payload: { email, password: 'secret-password' } });
    const answer = await loseAnswer(COMMIT, register);
    expect([answer.statusCode, answer.cookies.length]).toEqual([200, expect.any(Number)]);
    expect(await readCode(app, email)).toMatch(/^[A-Z0-9]{6}$/);
  });

  test('a code that was right confirms the address, with the sign-up stars', async () => {
    user = await registerUnverified(app);
    const verificationCode = await readCode(app, user.email);
    const answer = await loseAnswer(COMMIT, () => call('/api/verify-email', { verificationCode }));
    expect([answer.statusCode, answer.json().isEmailVerified]).toEqual([200, true]);
  });

  test('a start whose outcome cannot be found out answers 503, and its repeat answers with what exists', async () => {
    const { id: imageId } = (await upload()).json();
    app.proxy.loseAnswersTo(COMMIT);
    const unknown = await start(imageId, 'two');
    app.proxy.loseAnswersTo(null);
    expect([unknown.statusCode, unknown.json().code]).toEqual([503, 'unavailable']);
    const repeated = await start(imageId, 'two');
    expect(repeated.statusCode).toBe(200);
    const rows = await app.app.db.generation.findMany({ where: { accountId: user.account.id } });
    expect(rows.map(({ id }) => id)).toEqual([repeated.json().generationId]);
  });
});

describe.runIf(isOnServer)('when the connection breaks before the commit', () => {
  test('nothing is done, and the answer is 503', async () => {
    const other = await createProxiedApp();
    try {
      const email = newEmail();
      other.proxy.loseAnswersTo(/INSERT INTO "public"\."sessions"/);
      const payload = { email, password: 'secret-password' };
      const answer = await other.server.inject({ method: 'POST', url: '/api/register', payload });
      other.proxy.loseAnswersTo(null);
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
      expect(await other.app.db.account.count()).toBe(0);
    } finally {
      await other.close();
    }
  });
});
