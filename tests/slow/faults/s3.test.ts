import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeS3, type S3Fault, startFakeS3 } from '#tests/support/fake-s3.ts';
import { type FaultFixture, openFaultFixture, playFault, UNHARMED } from './fault-fixture.ts';
import { OrderingUser } from './ordering-user.ts';

const FAULT_MS = 8000;

let s3: FakeS3;
let fixture: FaultFixture;
beforeAll(async () => {
  s3 = await startFakeS3();
  fixture = await openFaultFixture({ env: s3.env });
});
afterAll(async () => {
  await fixture?.close();
  await s3?.close();
});

/** With what people are told. Where nothing is named, it depends on what they are doing at that moment. */
test.each<[string, S3Fault, string | null]>([
  ['S3 answers 503 for 8 s', { kind: 'slow_down' }, '503 storage_unavailable'],
  ['S3 does not answer for 8 s', { kind: 'hang' }, null],
  ['S3 gives 2 kB each 300 ms for 8 s', { kind: 'slow', pauseMs: 300, chunkBytes: 2000 }, null],
  ['S3 resets uploads for 8 s', { kind: 'cut', on: 'PUT', afterBytes: 1000 }, '503 storage_unavailable'],
  ['S3 ends files early for 8 s', { kind: 'short', on: 'GET', afterBytes: 1000 }, null],
])('%s, which costs nothing', async (name, fault, expected) => {
  const before = s3.countFaulted();
  await expectUnharmed(name, expected, async () => {
    s3.failAll(fault);
    await wait(FAULT_MS);
    s3.failAll(null);
  });
  expect(s3.countFaulted()).toBeGreaterThan(before);
});

test('S3 that is gone costs nothing', async () => {
  await expectUnharmed('S3 gone for 8 s', '503 storage_unavailable', async () => {
    await s3.goAway();
    await wait(FAULT_MS);
    await s3.comeBack();
  });
});

/** An order that is accepted before the fault has its result afterwards. */
async function expectUnharmed(name: string, expected: string | null, fault: () => Promise<void>): Promise<void> {
  const owner = await OrderingUser.join(fixture);
  let id = '';
  const report = await playFault(fixture, name, async () => {
    id = await owner.orderBefore(() => {});
    await fault();
  });
  expect(report).toMatchObject(UNHARMED);
  if (expected !== null) expect(report.seen).toHaveProperty([expected]);
  expect(await owner.waitForEnd(id)).toBe('completed');
  expect(await fixture.database.db.result.count({ where: { lostAt: { not: null } } })).toBe(0);
}
