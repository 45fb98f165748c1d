import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sweepStored } from '#pwa/device/storage.ts';
import {
  announceOpened,
  findRecipient,
  keepPreview,
  keepShare,
  listReceived,
  putBackFirst,
  type ReceivedNews,
  readReceived,
  removeReceived,
  subscribeReceived,
  sweepReceived,
  takeFirst,
  takeUpFirst,
  takeUpOthers,
} from '#pwa/features/uploads/received-photos.ts';
import { NONE_LEFT_OUT } from '#pwa/features/uploads/shared-photos.ts';
import { createFakeIndexedDb, storedValues } from '#tests/support/fake-indexed-db.ts';
import { openFakePage } from '#tests/support/fake-page.ts';
import {
  filesKept,
  holdBack,
  names,
  openPage,
  photo,
  share,
  takeUp,
  takeUpAndUseFirst,
  waitingNames,
} from '#tests/support/shared-photos.ts';
import { until } from '#tests/support/until.ts';

const DAY_MS = 24 * 3600_000;
const ANNA = 1001;

const read: string[] = [];
/** Of files, all together. */
let roomBytes: number;

beforeAll(() => {
  openFakePage();
  const sizeOf = (value: unknown) => (value instanceof ArrayBuffer ? value.byteLength : 0);
  const hasRoom = (values: unknown[]) => values.reduce((sum: number, one) => sum + sizeOf(one), 0) <= roomBytes;
  vi.stubGlobal('indexedDB', createFakeIndexedDb({ hasRoom, onRead: (key) => read.push(key) }));
});
beforeEach(async () => {
  await storedValues.clear();
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
    await removeReceived([first?.photo.id ?? '']);
    expect(await waitingNames(ANNA)).toEqual(['второе', 'третье']);
    const [second] = await listReceived(ANNA);
    expect(await (second && (await readReceived(second)))?.text()).toBe('второе');
    expect(await openPage(ANNA)).toBeNull();
  });

  test('of one photo has no others', async () => {
    await share('одно');
    expect(await openPage(ANNA)).toMatchObject({ photo: { hasOthers: false } });
  });

  test('has its first photo to be taken before the others are kept', async () => {
    const late = holdBack('второе');
    const { othersKept } = await keepShare(
      { first: photo('первое'), others: [late.file], notPhotos: 0 },
      await findRecipient(),
    );
    expect(await filesKept()).toBe(1);
    late.give();
    await othersKept;
    await takeUp(ANNA);
    expect(await waitingNames(ANNA)).toEqual(['первое', 'второе']);
  });

  test('comes before the earlier one, which loses nothing', async () => {
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

  test('pushes nothing out for its first photo either, with any number waiting', async () => {
    await share(...names('а', 11));
    await takeUp(ANNA);
    await share('б1');
    expect(await takeUp(ANNA)).toEqual(NONE_LEFT_OUT);
    expect(await waitingNames(ANNA)).toEqual(['б1', ...names('а', 11)]);
  });

  test('has the less room the more first photos of others wait that nobody has used', async () => {
    for (const name of names('а', 8)) {
      await share(name);
      await takeUp(ANNA);
    }
    await share(...names('б', 5));
    expect(await takeUp(ANNA)).toEqual({ ...NONE_LEFT_OUT, tooMany: 2 });
    expect(await waitingNames(ANNA)).toEqual([...names('б', 3), ...names('а', 8).reverse()]);
  });

  test('always has its first photo taken, and of those that nobody has used ten stay', async () => {
    await share(...names('а', 11));
    await takeUp(ANNA);
    for (const name of names('б', 40)) {
      await share(name);
      expect((await openPage(ANNA))?.file.name).toBe(`${name}.jpg`);
    }
    const newest = names('б', 40).reverse().slice(0, 11);
    expect(await waitingNames(ANNA)).toEqual([...newest, ...names('а', 11).slice(1)]);
    expect(await filesKept()).toBe(21);
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
    expect(await takeUp(ANNA)).toEqual({ ...NONE_LEFT_OUT, notKept: 2 });
    expect(await takeUpOthers(ANNA)).toEqual(NONE_LEFT_OUT);
    expect(await waitingNames(ANNA)).toEqual(['1', '22', '3']);
  });

  test('is refused as a whole only where there is no room for its first photo', async () => {
    roomBytes = 0;
    await expect(share('1', '2')).rejects.toMatchObject({ name: 'QuotaExceededError', message: 'no room' });
    expect(await storedValues.read()).toEqual(new Map());
  });

  test('needs no room beside its own to become the account’s, and its first photo waits until it has become the photo', async () => {
    roomBytes = new Blob(['фото']).size;
    await share('фото');
    expect((await openPage(ANNA))?.file.name).toBe('фото.jpg');
    expect(await waitingNames(ANNA)).toEqual(['фото']);
    expect(await filesKept()).toBe(1);
  });

  test('is not given to a page that still holds the first of the one before, but to the page that opens for it', async () => {
    await share('а1');
    await takeUpFirst(ANNA);
    await share('б1');
    expect(await takeFirst(ANNA)).toBeNull();
    expect((await openPage(ANNA))?.file.name).toBe('б1.jpg');
    expect(await waitingNames(ANNA)).toEqual(['б1', 'а1']);
  });

  test('whose first photo the page could not take yet has it taken by the next page', async () => {
    await share('первое', 'второе');
    expect(await takeUpFirst(ANNA)).toBe(true);
    await takeUpOthers(ANNA);
    expect(await waitingNames(ANNA)).toEqual(['первое', 'второе']);
    expect((await openPage(ANNA))?.file.name).toBe('первое.jpg');
    expect(await takeUpFirst(ANNA)).toBe(false);
  });

  test('whose page is left before the first photo is sent has it taken by the next page', async () => {
    await share('фото');
    const first = await openPage(ANNA);
    if (first) await putBackFirst(first.photo);
    expect(await (await openPage(ANNA))?.file.text()).toBe('фото');
  });

  test('that has come since stays the first when an older one is put back, and a newer one that is put back is', async () => {
    await share('а1');
    const older = await openPage(ANNA);
    await share('б1');
    await takeUpFirst(ANNA);
    if (older) await putBackFirst(older.photo);
    const newer = await takeFirst(ANNA);
    expect(newer?.file.name).toBe('б1.jpg');
    if (older) await putBackFirst(older.photo);
    if (newer) await putBackFirst(newer.photo);
    expect((await takeFirst(ANNA))?.file.name).toBe('б1.jpg');
    expect(await takeFirst(ANNA)).toBeNull();
    expect(await waitingNames(ANNA)).toEqual(['б1', 'а1']);
  });

  test('whose first photo has gone meanwhile leaves another one the first', async () => {
    await share('а1');
    const older = await openPage(ANNA);
    await share('б1');
    const newer = await openPage(ANNA);
    if (older) await putBackFirst(older.photo);
    await removeReceived([newer?.photo.id ?? '']);
    if (newer) await putBackFirst(newer.photo);
    expect((await openPage(ANNA))?.file.name).toBe('а1.jpg');
  });

  test('is heard of by every open page, and is a page’s own only where it was opened with that', async () => {
    const received: ReceivedNews[] = [];
    const stop = subscribeReceived((news) => received.push(news));
    await share('первое', 'второе');
    await until(() => expect(received).toEqual(['changed']));
    announceOpened();
    await until(() => expect(received).toEqual(['changed', 'opened']));
    stop();
  });
});

describe('what waits', () => {
  test('goes after a week, and what nobody has taken up after a day', async () => {
    await share('а1', 'а2');
    await takeUp(ANNA);
    vi.setSystemTime(Date.now() + 6 * DAY_MS);
    await share('б1', 'б2');
    await sweepReceived(ANNA);
    expect(await filesKept()).toBe(4);
    vi.setSystemTime(Date.now() + DAY_MS + 1);
    await sweepReceived(ANNA);
    expect(await openPage(ANNA)).toBeNull();
    expect(await storedValues.read()).toEqual(new Map());
  });

  test('is put away with its file', async () => {
    await share('первое', 'второе', 'третье');
    await takeUp(ANNA);
    const [first, second] = await listReceived(ANNA);
    await removeReceived([first?.id ?? '', second?.id ?? '']);
    expect(await waitingNames(ANNA)).toEqual(['третье']);
    expect(await filesKept()).toBe(1);
    expect(second && (await readReceived(second))).toBeNull();
  });

  test('keeps its small picture, and one that cannot be made is not tried again', async () => {
    await share('первое', 'второе');
    await takeUp(ANNA);
    const [first, second] = await listReceived(ANNA);
    await keepPreview(first?.id ?? '', new ArrayBuffer(3));
    await keepPreview(second?.id ?? '', null);
    expect((await listReceived(ANNA)).map(({ preview }) => preview)).toEqual([new ArrayBuffer(3), null]);
  });

  test('is not read by the sweep of every start, and a file without its place is removed by it', async () => {
    await share('первое', 'второе');
    await takeUp(ANNA);
    const values = await storedValues.read();
    const [list = ''] = [...values.keys()].filter((key) => !(values.get(key) instanceof ArrayBuffer));
    read.length = 0;
    await sweepStored(ANNA);
    expect(read).toEqual([list]);
    expect(await filesKept()).toBe(2);
    await storedValues.delete(list);
    await sweepStored(ANNA);
    expect(await filesKept()).toBe(0);
  });

  test('that do not have their shape go, and a new share is kept', async () => {
    const unknown = { name: 'a.jpg', type: 'image/jpeg', bytes: new ArrayBuffer(3) };
    await storedValues.set('podium/1/device/receivedFile', unknown);
    expect(await openPage(ANNA)).toBeNull();
    expect(await storedValues.read()).toEqual(new Map());
    await storedValues.set('podium/1/device/receivedFile', unknown);
    await share('первое');
    expect((await openPage(ANNA))?.file.name).toBe('первое.jpg');
  });
});
