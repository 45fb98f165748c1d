import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openReceiver, type Receiver, type ReceiverOptions } from '#pwa/features/photos/open-receiver.ts';
import { FIRST_TAKEN } from '#pwa/features/photos/received-texts.ts';
import type { UploadOutcome } from '#pwa/features/photos/use-photo-upload.ts';
import { announceOpened, findRecipient, keepShare } from '#pwa/features/uploads/received-photos.ts';
import type { ReceivedPhoto } from '#pwa/features/uploads/shared-photos.ts';
import { createFakeIndexedDb, storedValues } from '#tests/support/fake-indexed-db.ts';
import { photo, share, waitingNames } from '#tests/support/shared-photos.ts';
import { until } from '#tests/support/until.ts';

const toast = vi.hoisted(() => vi.fn());
vi.mock('#pwa/components/toast.ts', () => ({ toast }));

const ANNA = 1001;
const opened: Receiver[] = [];

beforeAll(() => vi.stubGlobal('indexedDB', createFakeIndexedDb()));
beforeEach(async () => {
  await storedValues.clear();
  toast.mockClear();
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  for (const receiver of opened.splice(0)) receiver.close();
  vi.useRealTimers();
});
afterAll(() => vi.unstubAllGlobals());

test('the first photo is handed over, is not shown meanwhile, and goes once it has become the photo', async () => {
  await share('первое', 'второе');
  const page = open();
  await until(() => expect(page.shown()).toEqual(['второе']));
  expect(page.handed()).toEqual(['первое']);
  expect(await waitingNames(ANNA)).toEqual(['первое', 'второе']);
  page.end('kept');
  await until(async () => expect(await waitingNames(ANNA)).toEqual(['второе']));
  await until(() => expect(toast).toHaveBeenCalledWith(FIRST_TAKEN));
});

test('an upload that is given up leaves its photo waiting, and one that is refused does not', async () => {
  await share('первое', 'второе');
  const page = open();
  await until(() => expect(page.shown()).toEqual(['второе']));
  page.end('lost');
  await until(() => expect(page.shown()).toEqual(['первое', 'второе']));
  void page.receiver.take(page.photos()[1] as ReceivedPhoto);
  await until(() => expect(page.handed()).toEqual(['первое', 'второе']));
  page.end('refused');
  await until(async () => expect(await waitingNames(ANNA)).toEqual(['первое']));
  expect(page.shown()).toEqual(['первое']);
  expect(toast).not.toHaveBeenCalled();
});

test('a page that is left before it has sent the first gives it to the next page', async () => {
  await share('первое');
  const next = Promise.withResolvers<OpenedPage>();
  const left = open({
    canTake: () => {
      // While the photo is being read.
      queueMicrotask(() => {
        left.receiver.close();
        next.resolve(open());
      });
      return true;
    },
  });
  const page = await next.promise;
  await until(() => expect(page.handed()).toEqual(['первое']));
  expect(left.handed()).toEqual([]);
});

test('a page that is left while it sends the first leaves it waiting for the next page', async () => {
  await share('первое');
  const left = open();
  await until(() => expect(left.handed()).toEqual(['первое']));
  left.receiver.close();
  left.end('lost');
  const page = open();
  await until(() => expect(page.shown()).toEqual(['первое']));
  expect(page.handed()).toEqual([]);
});

test('the first waits while no photo can be taken', async () => {
  await share('первое');
  let canTake = false;
  const page = open({ canTake: () => canTake });
  await until(() => expect(page.shown()).toEqual(['первое']));
  await page.receiver.take(page.photos()[0] as ReceivedPhoto);
  expect(page.handed()).toEqual([]);
  canTake = true;
  page.receiver.handDue();
  page.receiver.handDue();
  await until(() => expect(page.handed()).toEqual(['первое']));
  page.end('kept');
  await until(async () => expect(await waitingNames(ANNA)).toEqual([]));
  expect(page.handed()).toEqual(['первое']);
});

test('a later share is for the page that opens for it, and files opened in this tab are taken here', async () => {
  const page = open();
  await share('первое', 'второе');
  const another = open({ takesFirst: false });
  await until(() => expect(another.shown()).toEqual([]));
  expect(page.handed()).toEqual([]);
  announceOpened();
  await until(() => expect(page.handed()).toEqual(['первое']));
  await until(() => expect(page.shown()).toEqual(['второе']));
});

test('the photos that were left out are reported after the outcome of the first', async () => {
  const { othersKept } = await keepShare({ first: photo('фото'), others: [], notPhotos: 2 }, await findRecipient());
  await othersKept;
  const page = open();
  await until(() => expect(page.shown()).toEqual([]));
  expect(toast).not.toHaveBeenCalled();
  page.end('kept');
  await until(() => expect(toast).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ tone: 'plain' })));
});

type OpenedPage = ReturnType<typeof open>;

/** A page for Anna, whose uploads end when the test says how. */
function open(options: Partial<Pick<ReceiverOptions, 'takesFirst' | 'canTake'>> = {}) {
  const handed: string[] = [];
  let photos: readonly ReceivedPhoto[] | null = null;
  let uploading = Promise.withResolvers<UploadOutcome>();
  const receiver = openReceiver(ANNA, {
    takesFirst: true,
    canTake: () => true,
    ...options,
    onFile: (file) => {
      handed.push(withoutEnding(file));
      uploading = Promise.withResolvers();
      return uploading.promise;
    },
    show: (shown) => {
      photos = shown;
    },
  });
  opened.push(receiver);
  return {
    receiver,
    handed: () => handed,
    photos: () => photos ?? [],
    /** Null before anything was shown. */
    shown: () => photos?.map(withoutEnding),
    end: (outcome: UploadOutcome) => uploading.resolve(outcome),
  };
}

function withoutEnding({ name }: { name: string }): string {
  return name.replace('.jpg', '');
}
