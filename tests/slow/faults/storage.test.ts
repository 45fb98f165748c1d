import { mkdir, rename, rm, truncate } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, type TestContext, test } from 'vitest';
import { runDoctorCommand } from '#api/commands/doctor/doctor.ts';
import type { Finding } from '#api/commands/doctor/finding.ts';
import { SIGNUP_BONUS_STARS } from '#shared/rules/prices.ts';
import { mountSmallDisk, type SmallDisk } from '#tests/support/small-disk.ts';
import { type FaultFixture, openFaultFixture, playFault, UNHARMED } from './fault-fixture.ts';
import { reportNotTried } from './fault-report.ts';
import { OrderingUser } from './ordering-user.ts';

/** More than is kept free for accepted orders. It is no memory until something is written. */
const DISK_BYTES = 1024 ** 3;
/** Enough for uploads, and less than is kept free for accepted orders. */
const LITTLE_BYTES = 100 * 1024 ** 2;
const NO_MOUNTS = 'the user of this machine may not mount disks';
/** Folders of DATA_DIR in which nothing is kept. */
const WORK_FOLDERS = ['work', 'renders'];

const files = mountSmallDisk(DISK_BYTES);
const work = mountSmallDisk(DISK_BYTES);
let fixture: FaultFixture;
afterEach(() => {
  files?.makeRoom();
  work?.makeRoom();
});
beforeAll(async () => {
  fixture = await openFaultFixture({
    prepare(dataDir) {
      files?.plugIn('files', path.join(dataDir, 'files'));
      for (const name of WORK_FOLDERS) work?.plugIn(name, path.join(dataDir, name));
    },
  });
});
afterAll(async () => {
  work?.remove();
  files?.remove();
  await fixture?.close();
});

/** The disk of a test that needs one. Without, the table says that the fault was not tried. */
function requireDisk(disk: SmallDisk | null, fault: string, context: TestContext): SmallDisk {
  if (disk) return disk;
  reportNotTried(fault, NO_MOUNTS);
  return context.skip(NO_MOUNTS);
}

const NO_SPACE = { status: 507, code: 'storage_full', retryAfter: expect.stringMatching(/^\d+$/) };

test.for([
  ['storage', files],
  ['work folders', work],
] as const)(
  'a full disk of the %s fails a render once, charges nobody and refuses new ones',
  async ([place, mounted], context) => {
    const fault = `disk of the ${place} full`;
    const disk = requireDisk(mounted, fault, context);
    const owner = await OrderingUser.join(fixture);
    const report = await playFault(fixture, fault, async () => {
      const id = await owner.orderBefore(() => disk.leave(0));
      expect(await owner.waitForEnd(id)).toBe('storage_failed');
      // The engine is not blamed and not asked again.
      expect(await owner.listRuns(id)).toHaveLength(1);
      expect(await fixture.database.db.engineOutage.count()).toBe(0);
      expect(await owner.orderUntilRefused()).toEqual(NO_SPACE);
      disk.leave(LITTLE_BYTES);
      expect(await owner.orderUntilRefused()).toEqual(NO_SPACE);
      expect(await owner.visitor.getBalance()).toBe(SIGNUP_BONUS_STARS);
      disk.makeRoom();
    });
    // An order that ran when the disk became full fails, because asking again would help nobody.
    expect(report).toMatchObject({ ...UNHARMED, failed: expect.any(Number) });
    expect(report.seen).toHaveProperty('507 storage_full');
  },
);

/** An order that was accepted before the storage goes away has its result afterwards. The fault lasts 8 s. */
async function expectResultKept(
  fault: string,
  goAway: () => void | Promise<void>,
  comeBack: () => void | Promise<void>,
): Promise<void> {
  const owner = await OrderingUser.join(fixture);
  let id = '';
  const report = await playFault(fixture, fault, async () => {
    id = await owner.orderBefore(goAway);
    await wait(8000);
    await comeBack();
  });
  expect(report).toMatchObject(UNHARMED);
  expect(report.seen).toHaveProperty('503 storage_unavailable');
  expect(await owner.waitForEnd(id)).toBe('completed');
  expect((await owner.listRuns(id)).at(-1)).toBe('succeeded');
  expect(await fixture.database.db.result.count({ where: { lostAt: { not: null } } })).toBe(0);
}

test('a disk that is read-only for eight seconds costs nothing', async (context) => {
  const fault = 'disk read-only for 8 s';
  const disk = requireDisk(files, fault, context);
  await expectResultKept(fault, disk.makeReadOnly, disk.makeWritable);
});

test.each(['folder missing', 'folder empty'])(
  'a storage that is gone, its %s, is not taken for one without files',
  async (how) => {
    const folder = path.join(fixture.dataDir, 'files');
    const goAway = async () => {
      if (files) files.unplug(folder);
      else await rename(folder, `${folder}-away`);
      if (how === 'folder empty') await mkdir(folder);
    };
    const comeBack = async () => {
      await rm(folder, { recursive: true, force: true });
      if (files) files.plugIn('files', folder);
      else await rename(`${folder}-away`, folder);
    };
    await expectResultKept(`storage gone for 8 s, ${how}`, goAway, comeBack);
  },
);

test('a result file that is missing and one that is cut short are told, found and given back once', async () => {
  const owner = await OrderingUser.join(fixture);
  await owner.buyStars();
  const ids = [await owner.makePicture(), await owner.makePicture()];
  const balance = await owner.visitor.getBalance();
  const results = await fixture.database.db.result.findMany({
    where: { generationId: { in: ids } },
    orderBy: { id: 'asc' },
  });
  const report = await playFault(fixture, 'a result file missing, one cut short', async () => {
    const [missing = '', short = ''] = results.map(({ originalKey }) =>
      path.join(fixture.dataDir, 'files', originalKey),
    );
    await rm(missing);
    await truncate(short, 1000);
    // Before somebody has noticed. Known losses are a warning.
    expect(await findBrokenFiles()).toEqual(results.map(({ originalKey }) => originalKey).sort());
    for (const id of ids) {
      const {
        results: [result],
      } = await owner.getState(id);
      expect(await owner.open(result?.url ?? '')).toBe('410 result_lost');
    }
    const { images } = await owner.visitor.json<{ images: { loss?: object }[] }>('GET', '/api/gallery');
    expect(images.map(({ loss }) => loss)).toEqual(ids.map(() => ({ stars: 1, isReturned: false })));
    for (const id of [...ids, ...ids])
      expect(await owner.open(`/api/generations/${id}/return-lost-stars`, 'POST')).toBe('200');
    expect(await owner.visitor.getBalance()).toBe(balance + ids.length);
  });
  expect(report).toMatchObject(UNHARMED);
});

/** The files of results that the doctor names. */
async function findBrokenFiles(): Promise<string[]> {
  const env = { NODE_ENV: 'test', DATA_DIR: fixture.dataDir, DATABASE_URL: fixture.postgres.url };
  const text = await runDoctorCommand(['--json'], env).catch((error: Error) => error.message);
  const findings = JSON.parse(text) as Finding[];
  const failures = findings.filter(({ part, state }) => part === 'files' && state === 'failed');
  return failures.flatMap((finding) => finding.text.match(/results\/[\w/-]+\.\w+/g) ?? []).sort();
}
