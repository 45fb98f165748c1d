import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { clearDeviceOwner, setDeviceOwner } from '#pwa/device/device-owner.ts';
import {
  forgetReceived,
  listReceived,
  takeFirst,
  takeUpFirst,
  takeUpOthers,
} from '#pwa/features/uploads/received-photos.ts';
import { receiveShare } from '#pwa/service-worker/receive-share.ts';
import { createFakeIndexedDb, storedValues } from '#tests/support/fake-indexed-db.ts';
import { filesKept } from '#tests/support/shared-photos.ts';

const ANNA = 1001;
const BORIS = 1002;
let hasRoom = true;

beforeAll(() => vi.stubGlobal('indexedDB', createFakeIndexedDb({ hasRoom: () => hasRoom })));
beforeEach(async () => {
  await storedValues.clear();
  hasRoom = true;
});
afterAll(() => vi.unstubAllGlobals());

test('the page opens as soon as the first photo is kept, and the worker stays until the others are', async () => {
  const slow = Promise.withResolvers<ArrayBuffer>();
  const late = Object.assign(photo('второе.jpg'), { arrayBuffer: () => slow.promise });
  const { answer, work } = await share([photo('первое.jpg'), late, photo('третье.jpg')]);
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toMatch(/\/dashboard\/create-video\?share=received$/);
  await takeUpFirst(ANNA);
  expect(await takeFirst(ANNA)).toMatchObject({ file: { name: 'первое.jpg' }, photo: { hasOthers: true } });
  slow.resolve(new ArrayBuffer(4));
  await Promise.all(work);
  await takeUpOthers(ANNA);
  expect((await listReceived(ANNA)).map(({ name }) => name)).toEqual(['первое.jpg', 'второе.jpg', 'третье.jpg']);
});

test('without a photo, or without room for one, a page opens that says so', async () => {
  const text = new File(['Платье'], 'заметка.txt', { type: 'text/plain' });
  expect((await share([text])).answer.headers.get('location')).toMatch(/\/app\?share=no-photo$/);
  hasRoom = false;
  vi.spyOn(console, 'error').mockImplementationOnce(() => undefined);
  expect((await share([photo('первое.jpg')])).answer.headers.get('location')).toMatch(/\/app\?share=retry$/);
});

test('a sign-out before the files are read keeps nothing, and the page says so', async () => {
  await setDeviceOwner(ANNA);
  vi.spyOn(console, 'error').mockImplementationOnce(() => undefined);
  const { answer, work } = await share([photo('первое.jpg'), photo('второе.jpg')], () => forgetReceived(ANNA));
  await Promise.all(work);
  expect(answer.headers.get('location')).toMatch(/\/app\?share=retry$/);
  expect(await takeUpFirst(ANNA)).toBe(false);
  expect(await filesKept()).toBe(0);
});

test('a share belongs to the account that was signed in when it came, even if the session ends before the files are read', async () => {
  await setDeviceOwner(ANNA);
  const { answer, work } = await share([photo('первое.jpg'), photo('второе.jpg')], clearDeviceOwner);
  await Promise.all(work);
  expect(answer.headers.get('location')).toMatch(/\?share=received$/);
  expect(await takeUpFirst(ANNA)).toBe(true);
  expect(await takeUpFirst(BORIS)).toBe(false);
});

function photo(name: string): File {
  return new File([new Uint8Array([0xff, 0xd8, 0xff]), name], name, { type: 'image/jpeg' });
}

/** The request that a browser sends to the worker. The form keeps the given file objects. */
async function share(files: File[], onRead = async () => {}): Promise<{ answer: Response; work: Promise<unknown>[] }> {
  const form = new FormData();
  const request = new Request('https://podium.test/share-target', { method: 'POST' });
  vi.spyOn(form, 'getAll').mockReturnValue(files);
  vi.spyOn(request, 'formData').mockImplementation(async () => {
    await onRead();
    return form;
  });
  const work: Promise<unknown>[] = [];
  const answer = await receiveShare({ request, waitUntil: (promise) => void work.push(promise) });
  return { answer, work };
}
