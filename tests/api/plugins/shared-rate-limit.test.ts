import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServer } from '#api/server.ts';
import { LIMITS } from '#api/services/core/limit-table.ts';
import { consumeLimit } from '#api/services/core/limits.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { createStoredPhoto } from '#tests/support/factories.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import {
  newEmail,
  nextAddress,
  PASSWORD,
  registerUnverified,
  registerVerified,
  uploadPhoto,
} from '#tests/support/users.ts';

const testApp = useTestApp();
/** Two servers on one database. Each counts for itself in its memory. */
let servers: FastifyInstance[];

beforeAll(async () => {
  const second = await createServer(testApp.app);
  await second.ready();
  servers = [testApp.server, second];
});
afterAll(() => servers[1]?.close());

/** Sends the same request `times` times, to each server in turn, and returns the answers. */
async function alternate(times: number, send: (server: FastifyInstance) => ReturnType<typeof post>) {
  const answers: Awaited<ReturnType<typeof post>>[] = [];
  for (let index = 0; index < times; index++) {
    for (const server of servers.slice(index % 2, (index % 2) + 1)) answers.push(await send(server));
  }
  return answers;
}
const post = (server: FastifyInstance, url: string, payload: object, remoteAddress = nextAddress()) =>
  server.inject({ method: 'POST', url, payload, remoteAddress });
const codesOf = (answers: { statusCode: number }[]) => answers.map(({ statusCode }) => statusCode);

test('wrong passwords are counted together, whichever server gets them', async () => {
  const { email } = await registerUnverified(testApp);
  const address = nextAddress();
  const answers = await alternate(12, (server) =>
    post(server, '/api/login', { email, password: 'not-the-password' }, address),
  );
  expect(codesOf(answers)).toEqual([...Array(10).fill(401), 429, 429]);
  expect(Number(answers[11]?.headers['retry-after'])).toBeGreaterThan(30);
});

test('of many guesses at once on two servers only ten are answered', async () => {
  const { email } = await registerUnverified(testApp);
  const address = nextAddress();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      post(servers[index % 2] ?? testApp.server, '/api/login', { email, password: 'not-the-password' }, address),
    ),
  );
  expect(codesOf(answers).filter((code) => code === 401)).toHaveLength(10);
  expect(codesOf(answers).filter((code) => code === 429)).toHaveLength(20);
});

test('registrations of one address are counted together, and invalid ones not', async () => {
  const address = nextAddress();
  await alternate(10, (server) => post(server, '/api/register', { email: 'x' }, address));
  const answers = await alternate(42, (server) =>
    post(server, '/api/register', { email: newEmail(), password: PASSWORD }, address),
  );
  expect(codesOf(answers)).toEqual([...Array(40).fill(200), 429, 429]);
});

test('an upload past the limit that other processes have counted is refused and leaves nothing', async () => {
  const user = await registerVerified(testApp);
  const { account } = user;
  const count = () => consumeLimit(testApp.app, LIMITS.upload, String(account.id));
  const upload = async () => uploadPhoto(testApp, user, await drawJpeg(400, 400));
  for (let index = 1; index < LIMITS.upload.max; index++) await count();
  const answers = [await upload(), await upload()];
  expect(codesOf(answers)).toEqual([200, 429]);
  expect(answers[1]?.json().retryAfter).toBeGreaterThan(0);
  expect(await testApp.app.db.photo.count({ where: { accountId: account.id } })).toBe(1);
  const files: string[] = [];
  for await (const { key } of testApp.app.storage.list(`photos/${account.id}/`)) files.push(key);
  expect(files).toHaveLength(3);
});

test('a start past the limit that other processes have counted is refused and costs nothing', async () => {
  const { cookie, account } = await registerVerified(testApp);
  const { id: imageId } = await createStoredPhoto(testApp.app, account.id);
  for (let index = 0; index < LIMITS.start.max; index++) {
    await consumeLimit(testApp.app, LIMITS.start, `video:${account.id}`);
  }
  const answer = await testApp.server.inject({
    method: 'POST',
    url: '/api/generate',
    payload: { imageId, settings: {} },
    headers: { cookie },
  });
  expect([answer.statusCode, answer.json().code]).toEqual([429, 'too_many_requests']);
  const { starBalance } = await testApp.app.db.account.findUniqueOrThrow({ where: { id: account.id } });
  expect([starBalance, await testApp.app.db.generation.count()]).toEqual([2, 0]);
});

test('registrations of one IPv6 site count together, and a site has 65,536 networks', async () => {
  const register = (server: FastifyInstance, index: number) =>
    post(server, '/api/register', { email: newEmail(), password: PASSWORD }, `2001:db8:7:${index % 9}::${index}`);
  let count = 0;
  const answers = await alternate(41, (server) => register(server, ++count));
  expect(codesOf(answers)).toEqual([...Array(40).fill(200), 429]);
});
