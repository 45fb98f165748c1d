import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { purgeDevice } from '#pwa/features/account/device-data.ts';
import { clearDeviceOwner, setDeviceOwner } from '#pwa/lib/device-owner.ts';
import {
  keepPreview,
  keepShare,
  listReceived,
  putBackFirst,
  type ReceivedNews,
  readReceived,
  removeReceived,
  subscribeReceived,
  sweepReceived,
  takeUpFirst,
  takeUpOthers,
  tellOpened,
} from '#pwa/lib/received-photos.ts';
import { NONE_LEFT_OUT } from '#pwa/lib/received-shelf.ts';
import { sweepStored } from '#pwa/lib/storage.ts';
import { createFakeIndexedDb } from '#tests/support/fake-indexed-db.ts';
import { openFakePage } from '#tests/support/fake-page.ts';
import {
  names,
  openPage,
  passLock,
  photo,
  share,
  takeUp,
  takeUpAndUseFirst,
  waitingNames,
} from '#tests/support/shared-photos.ts';

const DAY_MS = 24 * 3600_000;
const ANNA = 1001;
const BORIS = 1002;

const values = new Map<string, unknown>();
const read: string[] = [];
/** Of files, all together. */
let roomBytes: number;

beforeAll(() => {
  openFakePage();
  const sizeOf = (value: unknown) => (value instanceof ArrayBuffer ? value.byteLength : 0);
  const hasRoom = (value: unknown) =>
    [...values.values()].reduce((sum: number, one) => sum + sizeOf(one), sizeOf(value)) <= roomBytes;
  vi.stubGlobal('indexedDB', createFakeIndexedDb({ values, hasRoom, onRead: (key) => read.push(key) }));
});
beforeEach(() => {
  values.clear();
  roomBytes = Number.POSITIVE_INFINITY;
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  // Shares come one after another, whatever the clock of a fast machine says.
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
afterAll(() => vi.unstubAllGlobals());

describe('a share', () => {
  test('gives its first photo to be taken at once, and the others wait in their order, each with its file', async () => {
    await share('первое', 'второе', 'третье');
    const first = await openPage(ANNA);
    expect(first).toMatchObject({ file: { name: 'первое.jpg', type: 'image/jpeg' }, photo: { hasOthers: true } });
    expect(await first?.file.text()).toBe('первое');
    expect(await takeUpOthers(ANNA)).toEqual(NONE_LEFT_OUT);
    await removeReceived(ANNA, [first?.photo.id ?? '']);
    expect(await waitingNames(ANNA)).toEqual(['второе', 'третье']);
    const [second] = await listReceived(ANNA);
    expect(await (second && (await readReceived(ANNA, second)))?.text()).toBe('второе');
    expect(await openPage(ANNA)).toBeNull();
  });

  test('of one photo has no others', async () => {
    await share('одно');
    expect(await openPage(ANNA)).toMatchObject({ photo: { hasOthers: false } });
  });

  test('has its first photo to be taken before the others are kept', async () => {
    const slow = Promise.withResolvers<ArrayBuffer>();
    const late = Object.assign(photo('второе'), { arrayBuffer: () => slow.promise });
    const { othersKept } = await keepShare({ first: photo('первое'), others: [late], notPhotos: 0 }, null);
    expect(filesKept()).toBe(1);
    slow.resolve(new ArrayBuffer(4));
    await othersKept;
    await takeUp(ANNA);
    expect(await waitingNames(ANNA)).toEqual(['первое', 'второе']);
  });

  test('comes before the one before it, of which nothing is lost', async () => {
    await share('а1', 'а2', 'а3');
    await takeUp(ANNA);
    await share('б1', 'б2');
    expect((await openPage(ANNA))?.file.name).toBe('б1.jpg');
    await takeUpOthers(ANNA);
    expect(await waitingNames(ANNA)).toEqual(['б1', 'б2', 'а1', 'а2', 'а3']);
  });

  test('that comes before anybody has taken up the last one makes its own photo the first', async () => {
    await share('а1', 'а2');
    await share('б1', 'б2');
    expect((await openPage(ANNA))?.file.name).toBe('б1.jpg');
    expect(await openPage(ANNA)).toBeNull();
    await takeUpOthers(ANNA);
    expect(await waitingNames(ANNA)).toEqual(['б1', 'б2', 'а1', 'а2']);
  });

  test('is left to the page that takes its first photo, and of several such pages one gets that', async () => {
    await share('первое', 'второе');
    expect(await takeUpOthers(ANNA)).toEqual(NONE_LEFT_OUT);
    expect(await listReceived(ANNA)).toEqual([]);
    const firsts = await Promise.all([openPage(ANNA), openPage(ANNA), openPage(ANNA)]);
    expect(firsts.filter(Boolean)).toHaveLength(1);
  });

  test('of more than may wait keeps ten beside the first and says how many it has left out', async () => {
    await share(...names('а', 13));
    expect(await takeUp(ANNA)).toEqual({ ...NONE_LEFT_OUT, tooMany: 2 });
    expect(await takeUpOthers(ANNA)).toEqual(NONE_LEFT_OUT);
    expect(await waitingNames(ANNA)).toEqual(names('а', 11));
  });

  test('does not push out what waits already', async () => {
    await share(...names('а', 8));
    await takeUpAndUseFirst(ANNA);
    await share(...names('б', 6));
    expect(await takeUp(ANNA)).toEqual({ ...NONE_LEFT_OUT, tooMany: 2 });
    expect(await waitingNames(ANNA)).toEqual([...names('б', 4), ...names('а', 8).slice(1)]);
  });

  test('pushes nothing out for its first photo either, however many wait', async () => {
    await share(...names('а', 11));
    await takeUp(ANNA);
    await share('б1');
    expect(await takeUp(ANNA)).toEqual(NONE_LEFT_OUT);
    expect(await waitingNames(ANNA)).toEqual(['б1', ...names('а', 11)]);
  });

  test('pushes nothing out that waits for nobody yet', async () => {
    await share(...names('а', 11));
    await share('б1', 'б2');
    expect(await takeUp(ANNA)).toEqual({ ...NONE_LEFT_OUT, tooMany: 1 });
    expect(await waitingNames(ANNA)).toEqual(['б1', ...names('а', 11)]);
  });

  test('keeps as many as there is room for, and says once how many there was none for', async () => {
    roomBytes = 10;
    await share('1', '22', 'слишком большое', '3', 'тоже');
    // Each is in two places while it changes its owner.
    expect(await takeUp(ANNA)).toEqual({ ...NONE_LEFT_OUT, notKept: 2 });
    expect(await takeUpOthers(ANNA)).toEqual(NONE_LEFT_OUT);
    expect(await waitingNames(ANNA)).toEqual(['1', '22', '3']);
  });

  test('is refused as a whole only where there is no room for its first photo', async () => {
    roomBytes = 0;
    await expect(share('1', '2')).rejects.toThrow('no room');
    expect(values.size).toBe(0);
  });

  test('whose first photo cannot be the account’s for want of room gives it all the same', async () => {
    await share('первое');
    roomBytes = 0;
    expect(await openPage(ANNA)).toMatchObject({ isKept: false, file: { name: 'первое.jpg' } });
    expect(filesKept()).toBe(0);
  });

  test('whose first photo the page could not take yet has it taken by the next page', async () => {
    await share('первое', 'второе');
    expect(await takeUpFirst(ANNA)).toBe(true);
    await takeUpOthers(ANNA);
    expect(await waitingNames(ANNA)).toEqual(['первое', 'второе']);
    expect((await openPage(ANNA))?.file.name).toBe('первое.jpg');
    expect(await takeUpFirst(ANNA)).toBe(false);
  });

  test.each([
    ['with room for it', Number.POSITIVE_INFINITY],
    ['without', 8],
  ])('whose page is left before the first photo is sent has it taken by the next page, %s', async (_, bytes) => {
    await setDeviceOwner(ANNA);
    roomBytes = bytes;
    await share('фото');
    const first = await openPage(ANNA);
    if (first) await putBackFirst(ANNA, first);
    expect(await (await openPage(ANNA))?.file.text()).toBe('фото');
  });

  test('whose page is left by a sign-out leaves nothing behind', async () => {
    await setDeviceOwner(ANNA);
    roomBytes = 8;
    await share('фото');
    const first = await openPage(ANNA);
    await purgeDevice(ANNA);
    if (first) await putBackFirst(ANNA, first);
    await passLock();
    expect(values.size).toBe(0);
  });

  test('is heard of by every open page, and is a page’s own only where it was opened with that', async () => {
    const heard: ReceivedNews[] = [];
    const stop = subscribeReceived((news) => heard.push(news));
    await share('первое', 'второе');
    await vi.waitFor(() => expect(heard).toEqual(['changed']));
    tellOpened();
    await vi.waitFor(() => expect(heard).toEqual(['changed', 'opened']));
    stop();
  });
});

describe('what waits', () => {
  test('is the account’s alone: another one neither sees it nor leaves it on the device', async () => {
    await share('первое', 'второе');
    await takeUp(ANNA);
    await takeUp(BORIS);
    expect(await listReceived(BORIS)).toEqual([]);
    await sweepStored(BORIS);
    expect(filesKept()).toBe(0);
    expect(await listReceived(ANNA)).toEqual([]);
  });

  test('goes at a sign-out, and so does what nobody has taken up', async () => {
    await share('первое', 'второе');
    await takeUp(ANNA);
    await share('третье', 'четвёртое');
    await purgeDevice(ANNA);
    await vi.waitFor(() => expect(values.size).toBe(0));
  });

  test('leaves nothing behind when somebody signs out while it is being kept', async () => {
    await setDeviceOwner(ANNA);
    const asked = Promise.withResolvers<void>();
    const slow = Promise.withResolvers<ArrayBuffer>();
    const arrayBuffer = () => {
      asked.resolve();
      return slow.promise;
    };
    const others = [Object.assign(photo('второе'), { arrayBuffer }), photo('третье')];
    const { othersKept } = await keepShare({ first: photo('первое'), others, notPhotos: 0 }, ANNA);
    await openPage(ANNA);
    await asked.promise;
    await purgeDevice(ANNA);
    await passLock();
    slow.resolve(new ArrayBuffer(4));
    await othersKept;
    expect(values.size).toBe(0);
  });

  test('is not kept at all when somebody signs out before the first photo is read', async () => {
    await setDeviceOwner(ANNA);
    const slow = Promise.withResolvers<ArrayBuffer>();
    const first = Object.assign(photo('первое'), { arrayBuffer: () => slow.promise });
    const kept = keepShare({ first, others: [photo('второе')], notPhotos: 0 }, ANNA);
    await purgeDevice(ANNA);
    await passLock();
    slow.resolve(new ArrayBuffer(4));
    await expect(kept).rejects.toThrow('signed out');
    expect(values.size).toBe(0);
  });

  test('while nobody is signed in stays for whoever signs in', async () => {
    await setDeviceOwner(ANNA);
    await clearDeviceOwner();
    await share('первое', 'второе');
    await setDeviceOwner(BORIS);
    await sweepStored(BORIS);
    await takeUp(BORIS);
    expect(await waitingNames(BORIS)).toEqual(['первое', 'второе']);
  });

  test('goes after a week, and what nobody has taken up after a day', async () => {
    await share('а1', 'а2');
    await takeUp(ANNA);
    vi.setSystemTime(Date.now() + 6 * DAY_MS);
    await share('б1', 'б2');
    await sweepReceived(ANNA);
    expect(filesKept()).toBe(4);
    vi.setSystemTime(Date.now() + DAY_MS + 1);
    await sweepReceived(ANNA);
    expect(await openPage(ANNA)).toBeNull();
    expect(values.size).toBe(0);
  });

  test('is put away with its file', async () => {
    await share('первое', 'второе', 'третье');
    await takeUp(ANNA);
    const [first, second] = await listReceived(ANNA);
    await removeReceived(ANNA, [first?.id ?? '', second?.id ?? '']);
    expect(await waitingNames(ANNA)).toEqual(['третье']);
    expect(filesKept()).toBe(1);
    expect(second && (await readReceived(ANNA, second))).toBeNull();
  });

  test('keeps its small picture, and one that cannot be made is not tried again', async () => {
    await share('первое', 'второе');
    await takeUp(ANNA);
    const [first, second] = await listReceived(ANNA);
    await keepPreview(ANNA, first?.id ?? '', new ArrayBuffer(3));
    await keepPreview(ANNA, second?.id ?? '', null);
    expect((await listReceived(ANNA)).map(({ preview }) => preview)).toEqual([new ArrayBuffer(3), null]);
  });

  test('is not read by the sweep of every start, and a file without its place is removed by it', async () => {
    await share('первое', 'второе');
    await takeUp(ANNA);
    const [list = ''] = [...values.keys()].filter((key) => !(values.get(key) instanceof ArrayBuffer));
    read.length = 0;
    await sweepStored(ANNA);
    expect(read).toEqual([list]);
    expect(filesKept()).toBe(2);
    values.delete(list);
    await sweepStored(ANNA);
    expect(filesKept()).toBe(0);
  });

  test('in the shape of an older version goes, and a new share is kept', async () => {
    values.set('podium/1/device/receivedFile', { name: 'a.jpg', type: 'image/jpeg', bytes: new ArrayBuffer(3) });
    expect(await openPage(ANNA)).toBeNull();
    expect(values.size).toBe(0);
    values.set('podium/1/device/receivedFile', { name: 'a.jpg', type: 'image/jpeg', bytes: new ArrayBuffer(3) });
    await share('первое');
    expect((await openPage(ANNA))?.file.name).toBe('первое.jpg');
  });
});

function filesKept(): number {
  return [...values.values()].filter((value) => value instanceof ArrayBuffer).length;
}
