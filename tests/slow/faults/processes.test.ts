import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newEmail } from '#tests/support/users.ts';
import { type FaultFixture, openFaultFixture, playFault, UNHARMED } from './fault-fixture.ts';
import { OrderingUser } from './ordering-user.ts';

const HOUR_MS = 3_600_000;
/** As often as the engine may fail at an order. */
const KILLS = 5;
const SHIFT_CLOCK = path.join(import.meta.dirname, 'shift-clock.mjs');

let fixture: FaultFixture;
beforeAll(async () => {
  fixture = await openFaultFixture();
});
afterAll(() => fixture?.close());

test.each(['api', 'worker'] as const)('a killed %s process costs nothing', async (role) => {
  const report = await playFault(fixture, `${role} killed with kill -9, away for 2 s`, async () => {
    await fixture.processOf(role).kill();
    await wait(2000);
    await fixture.startAgain(role);
  });
  expect(report).toMatchObject(UNHARMED);
});

test('a worker that is killed five times during one order makes it nevertheless', async () => {
  const owner = await OrderingUser.join(fixture);
  // The busy people have paid, and orders of who has paid go first. Together they keep the worker busy all the time.
  await owner.buyStars();
  let id = '';
  const report = await playFault(fixture, `worker killed ${KILLS} times during one order`, async () => {
    id = await owner.orderVideo();
    for (let kills = 1; kills <= KILLS; kills++) {
      await owner.waitForRun(id, kills);
      await fixture.processOf('worker').kill();
      await fixture.startAgain('worker');
    }
  });
  expect(report).toMatchObject(UNHARMED);
  expect(await owner.waitForEnd(id)).toBe('completed');
  expect(await owner.listRuns(id)).toEqual([...Array(KILLS).fill('interrupted'), 'succeeded']);
});

test.each([
  ['forward', HOUR_MS],
  ['back', -HOUR_MS],
])('a clock that jumps an hour %s costs nothing and signs nobody out', async (direction, shiftMs) => {
  const report = await playFault(fixture, `clock moved an hour ${direction}`, async () => {
    for (const role of ['api', 'worker'] as const) {
      await fixture.processOf(role).kill();
      await fixture.startAgain(role, { NODE_OPTIONS: `--import ${SHIFT_CLOCK}`, CLOCK_SHIFT_MS: String(shiftMs) });
    }
    await wait(5000);
    for (const role of ['api', 'worker'] as const) {
      await fixture.processOf(role).kill();
      await fixture.startAgain(role);
    }
  });
  expect(report).toMatchObject(UNHARMED);
  expect(Object.keys(report.seen).filter((answer) => answer.startsWith('401'))).toEqual([]);
});

test('while no mail can be written, a registration says so, and nothing else suffers', async () => {
  const outbox = path.join(fixture.dataDir, 'outbox');
  const register = async () => {
    const answer = await fetch(`${fixture.processOf('api').url}/api/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: fixture.processOf('api').url },
      body: JSON.stringify({ email: newEmail(), password: 'secret-password' }),
    });
    return answer.status;
  };
  const during: number[] = [];
  const report = await playFault(fixture, 'mail down for 8 s', async () => {
    await rename(outbox, `${outbox}-away`);
    await writeFile(outbox, 'no folder');
    await wait(6000);
    during.push(await register(), await register());
    await wait(2000);
    await rm(outbox);
    await rename(`${outbox}-away`, outbox);
  });
  expect(report).toMatchObject(UNHARMED);
  expect(during).toEqual([503, 503]);
  await vi.waitFor(async () => expect(await register()).toBe(200), { timeout: 30_000, interval: 1_000 });
});
