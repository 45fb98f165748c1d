import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { clearDeviceOwner, setDeviceOwner } from '#pwa/device/device-owner.ts';
import { sweepStored } from '#pwa/device/storage.ts';
import { closeDevice, purgeDevice } from '#pwa/features/account/device-data.ts';
import {
  findRecipient,
  forgetReceived,
  keepShare,
  listReceived,
  putBackFirst,
  sweepReceived,
  takeFirst,
  takeUpFirst,
  takeUpOthers,
} from '#pwa/features/uploads/received-photos.ts';
import { NONE_LEFT_OUT } from '#pwa/features/uploads/shared-photos.ts';
import { createFakeIndexedDb, storedValues } from '#tests/support/fake-indexed-db.ts';
import { openFakePage } from '#tests/support/fake-page.ts';
import { filesKept, holdBack, openPage, photo, share, takeUp, waitingNames } from '#tests/support/shared-photos.ts';
import { until } from '#tests/support/until.ts';

const ANNA = 1001;
const BORIS = 1002;

let hasRoom: boolean;

beforeAll(() => {
  openFakePage();
  vi.stubGlobal('indexedDB', createFakeIndexedDb({ hasRoom: () => hasRoom }));
});
beforeEach(async () => {
  await storedValues.clear();
  hasRoom = true;
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => vi.unstubAllGlobals());

describe('the end of a session', () => {
  beforeEach(() => setDeviceOwner(ANNA));

  test.each([
    ['opens a page for a share', takeUpFirst],
    ['opens any other page', takeUpOthers],
    ['comes', sweepReceived],
  ])('leaves nothing to another account: what was shared goes when that one %s', async (_, come) => {
    await share('а1', 'а2');
    await takeUp(ANNA);
    await share('б1', 'б2');
    await closeDevice();
    await setDeviceOwner(BORIS);
    await come(BORIS);
    expect(await filesKept()).toBe(0);
    expect(await openPage(BORIS)).toBeNull();
    expect(await listReceived(BORIS)).toEqual([]);
  });

  test('leaves no news to another account either of what was left out', async () => {
    const notPhotos = 2;
    const { othersKept } = await keepShare({ first: photo('фото'), others: [], notPhotos }, await findRecipient());
    await othersKept;
    await openPage(ANNA);
    await closeDevice();
    expect(await takeUpOthers(BORIS)).toEqual(NONE_LEFT_OUT);
    expect(await takeUpOthers(ANNA)).toEqual(NONE_LEFT_OUT);
  });

  test('leaves all of it to the same account when it comes back', async () => {
    await share('а1', 'а2');
    await takeUp(ANNA);
    await share('б1', 'б2');
    await closeDevice();
    await setDeviceOwner(ANNA);
    await sweepStored(ANNA);
    await sweepReceived(ANNA);
    expect((await openPage(ANNA))?.file.name).toBe('б1.jpg');
    await takeUpOthers(ANNA);
    expect(await waitingNames(ANNA)).toEqual(['б1', 'б2', 'а1', 'а2']);
  });

  test('does not end the keeping of a share, which goes on for whoever shared it', async () => {
    const slow = holdBack('второе');
    const { othersKept } = await keepShare(
      { first: photo('первое'), others: [slow.file], notPhotos: 0 },
      await findRecipient(),
    );
    await closeDevice();
    slow.give();
    await othersKept;
    await takeUp(ANNA);
    expect(await waitingNames(ANNA)).toEqual(['первое', 'второе']);
  });
});

describe('a sign-out', () => {
  test('leaves nothing that waits, and nothing that nobody has taken up', async () => {
    await share('первое', 'второе');
    await takeUp(ANNA);
    await share('третье', 'четвёртое');
    await purgeDevice(ANNA);
    await until(expectNothingKept);
  });

  test('leaves nothing where there is no room to write either', async () => {
    await share('первое', 'второе');
    await takeUp(ANNA);
    hasRoom = false;
    await forgetReceived(ANNA).catch(() => undefined);
    await expectNothingKept();
  });

  test('of somebody who is not known takes everything', async () => {
    await setDeviceOwner(ANNA);
    await share('первое');
    await openPage(ANNA);
    await forgetReceived(null);
    await expectNothingKept();
  });

  test('that ends late takes nothing from the next account', async () => {
    await setDeviceOwner(BORIS);
    await share('первое', 'второе');
    await forgetReceived(ANNA);
    await takeUp(BORIS);
    expect(await waitingNames(BORIS)).toEqual(['первое', 'второе']);
  });

  test.each([
    ['while Anna was signed in', () => setDeviceOwner(ANNA), async () => {}],
    ['before anybody was', async () => {}, () => setDeviceOwner(ANNA)],
  ])('ends the keeping of a share that has begun %s', async (_when, before, meanwhile) => {
    await before();
    const slow = holdBack('второе');
    const others = [slow.file, photo('третье')];
    const { othersKept } = await keepShare({ first: photo('первое'), others, notPhotos: 1 }, await findRecipient());
    await meanwhile();
    await openPage(ANNA);
    await purgeDevice(ANNA);
    slow.give();
    await othersKept;
    await expectNothingKept();
    expect(await takeUpOthers(BORIS)).toEqual(NONE_LEFT_OUT);
  });

  test('leaves nothing behind either where the page is left before it has sent the first', async () => {
    await setDeviceOwner(ANNA);
    await share('фото');
    const first = await openPage(ANNA);
    await purgeDevice(ANNA);
    await share('другое');
    if (first) await putBackFirst(first.photo);
    expect(await takeUpFirst(BORIS)).toBe(true);
    expect(await waitingNames(BORIS)).toEqual(['другое']);
  });

  test('before the first photo is read has the share refused', async () => {
    await setDeviceOwner(ANNA);
    const slow = holdBack('первое');
    const kept = keepShare({ first: slow.file, others: [photo('второе')], notPhotos: 0 }, await findRecipient());
    await purgeDevice(ANNA);
    slow.give();
    await expect(kept).rejects.toThrow('signed out');
    await expectNothingKept();
  });

  test('ends nothing of a share that comes after it', async () => {
    await setDeviceOwner(ANNA);
    await purgeDevice(ANNA);
    await share('первое', 'второе');
    await takeUp(BORIS);
    expect(await waitingNames(BORIS)).toEqual(['первое', 'второе']);
  });
});

describe('what is shared while nobody is signed in', () => {
  test('stays for the person who signs in, and only that person sees it', async () => {
    await setDeviceOwner(ANNA);
    await clearDeviceOwner();
    await share('первое', 'второе');
    await setDeviceOwner(BORIS);
    await sweepStored(BORIS);
    await takeUp(BORIS);
    expect(await waitingNames(BORIS)).toEqual(['первое', 'второе']);
    expect(await listReceived(ANNA)).toEqual([]);
    expect(await takeFirst(ANNA)).toBeNull();
  });
});

/** Neither the file nor its name is left. */
async function expectNothingKept(): Promise<void> {
  expect(await filesKept()).toBe(0);
  expect(JSON.stringify([...(await storedValues.read())])).not.toContain('.jpg');
}
