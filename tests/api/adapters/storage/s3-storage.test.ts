import { randomBytes } from 'node:crypto';
import { type Duplex, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  ObjectNotFoundError,
  type ObjectStorage,
  StorageFullError,
  StorageUnavailableError,
} from '#api/adapters/storage/object-storage.ts';
import { createS3Storage, type S3Options } from '#api/adapters/storage/s3-storage.ts';
import { FAKE_S3_KEYS, type FakeS3, type S3Fault, startFakeS3 } from '#tests/support/fake-s3.ts';
import { until } from '#tests/support/until.ts';
import { describeObjectStorage } from './object-storage.contract.ts';

let s3: FakeS3;
let storage: ObjectStorage;
beforeEach(async () => {
  s3 = await startFakeS3();
  storage = openStorage(s3);
});
afterEach(() => {
  // Servers of other makers store the framing with the file, or refuse it.
  for (const { headers } of s3.calls) {
    expect(headers['content-encoding'] ?? '').not.toContain('aws-chunked');
    expect(Object.keys(headers).filter((name) => /trailer|checksum|decoded/.test(name))).toEqual([]);
  }
  return s3.close();
});

function openStorage({ endpoint, env }: FakeS3, options: Partial<S3Options> = {}): ObjectStorage {
  return createS3Storage({
    endpoint,
    publicEndpoint: endpoint,
    bucket: env.S3_BUCKET ?? '',
    region: env.S3_REGION ?? '',
    ...FAKE_S3_KEYS,
    ...options,
  });
}

/** For what never comes. Everything else may take as long as on a busy machine. */
const HASTY = { answerMs: 300, chunkMs: 200 };
const KEY = 'results/1001/a/0/original.mp4';
const read = async (key = KEY) => buffer(await storage.open(key));
const put = (content = Buffer.from('file'), key = KEY) => storage.put(key, content, 'video/mp4');
const putStream = (bytes: number, key = KEY) =>
  storage.put(key, { open: () => Readable.from([randomBytes(bytes)]), bytes }, 'video/mp4');

// A list comes in pages of two, so each longer one needs continuation tokens.
describeObjectStorage(async () => openStorage(await startFakeS3({ pageSize: 2 })));

test('a file is stored with its type, and a stream is sent with its length and without a checksum', async () => {
  await putStream(1_000_000);
  expect(s3.objects.get(KEY)).toMatchObject({ contentType: 'video/mp4', content: { length: 1_000_000 } });
  const { headers } = s3.calls[0] ?? {};
  expect(headers).toMatchObject({ 'content-length': '1000000', 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' });
  expect(headers).not.toHaveProperty('transfer-encoding');
});

describe('a call that fails', () => {
  const calls: [string, () => Promise<unknown>][] = [
    ['a write', () => put()],
    ['a write of a stream', () => putStream(100)],
    ['a read', () => read()],
    ['a question for the size', () => storage.findSize(KEY)],
    ['a removal', () => storage.remove(KEY)],
    ['a list', () => storage.list('results/')[Symbol.asyncIterator]().next()],
    ['a check', () => storage.check()],
  ];

  test.each(calls)('%s says that the storage is not available, whatever the reason', async (_name, call) => {
    await put();
    storage = openStorage(s3, { timeouts: HASTY });
    for (const kind of ['slow_down', 'internal', 'access_denied', 'hang'] as const) {
      s3.failAll({ kind });
      await expect(call(), kind).rejects.toThrow(StorageUnavailableError);
    }
  });

  test.each(calls)(
    '%s fails without a bucket, with keys that do not work and without a server',
    async (_name, call) => {
      s3.removeBucket();
      await expect(call(), 'bucket').rejects.toThrow(StorageUnavailableError);
      s3.revokeKeys();
      await expect(call(), 'keys').rejects.toThrow(StorageUnavailableError);
      await s3.close();
      await expect(call(), 'server').rejects.toThrow(StorageUnavailableError);
      s3 = await startFakeS3();
    },
  );

  test.each(calls)('%s is not to blame for answers about time, keys, region and connection', async (_name, call) => {
    await put();
    for (const code of ['RequestTimeout', 'AuthorizationHeaderMalformed', 'ExpiredToken', 'IncompleteBody']) {
      s3.failAll({ kind: 'bad_request', code });
      await expect(call(), code).rejects.toThrow(StorageUnavailableError);
    }
  });

  test('a request of ours that is wrong is told from a storage that does not work', async () => {
    s3.failAll({ kind: 'bad_request', code: 'EntityTooLarge' });
    for (const write of [put(), putStream(10)]) await expect(write).rejects.toMatchObject({ name: 'EntityTooLarge' });
  });

  test('a wrong secret is refused', async () => {
    storage = openStorage(s3, { secretAccessKey: 'another-secret' });
    await expect(storage.check()).rejects.toMatchObject({ cause: { name: 'SignatureDoesNotMatch' } });
    expect(s3.objects.size).toBe(0);
    // The answer to HEAD says no more.
    await expect(storage.findSize(KEY)).rejects.toMatchObject({ cause: { message: 'it answers 403' } });
  });

  test('an error without a message, as those of Ceph, is told by its code', async () => {
    const ceph = await startFakeS3({ isTerse: true });
    onTestFinished(() => ceph.close());
    const told = (options: Parameters<typeof openStorage>[1] = {}) =>
      openStorage(ceph, options)
        .check()
        .then(
          () => 'nothing',
          ({ cause }: Error) => (cause as Error).message,
        );
    expect(await told()).toBe('nothing');
    expect(await told({ secretAccessKey: 'another-secret' })).toBe('it answers 403 SignatureDoesNotMatch');
    expect(await told({ accessKeyId: 'nobody' })).toBe('it answers 403 InvalidAccessKeyId');
    ceph.failAll({ kind: 'quota_exceeded', on: 'PUT' });
    await expect(openStorage(ceph).check()).rejects.toThrow(StorageFullError);
  });

  test('a clock that is wrong by more than a quarter of an hour is made up for', async () => {
    s3.moveClock(-20 * 60_000);
    await put();
    expect(await storage.findSize(KEY)).toBe(4);
  });

  test('a full bucket refuses files and can still be read', async () => {
    await put();
    s3.failAll({ kind: 'quota_exceeded', on: 'PUT' });
    await expect(put()).rejects.toThrow(StorageFullError);
    await expect(putStream(10)).rejects.toThrow(StorageFullError);
    expect((await read()).toString()).toBe('file');
  });
});

describe('a busy moment', () => {
  test('is waited for, except with a stream, which cannot be sent twice', async () => {
    s3.failNext({ kind: 'slow_down' }, { kind: 'internal' });
    await put();
    // Long enough for the try that is answered.
    storage = openStorage(s3, { timeouts: { answerMs: 2_000 } });
    s3.failNext({ kind: 'slow_down' }, { kind: 'hang' });
    expect((await read()).toString()).toBe('file');
    s3.calls.length = 0;
    s3.failNext({ kind: 'slow_down' });
    await expect(putStream(100)).rejects.toThrow(StorageUnavailableError);
    expect(s3.calls).toHaveLength(1);
  });
});

describe('a connection that breaks', () => {
  test('while a file is written leaves the former one', async () => {
    await put(Buffer.from('former'));
    s3.failAll({ kind: 'cut', afterBytes: 100_000, on: 'PUT' });
    await expect(putStream(1_000_000)).rejects.toThrow(StorageUnavailableError);
    await expect(put(randomBytes(1_000_000))).rejects.toThrow(StorageUnavailableError);
    expect((await read()).toString()).toBe('former');
  });

  test.each(['cut', 'short', 'stall'] as const)(
    'while a file is read (%s) is an error, not a short file',
    async (kind) => {
      await put(randomBytes(500_000));
      if (kind === 'stall') storage = openStorage(s3, { timeouts: { chunkMs: HASTY.chunkMs } });
      const fault: S3Fault = { kind, afterBytes: 100_000, on: 'GET' };
      s3.failNext(fault);
      const chunks: Buffer[] = [];
      const reading = (async () => {
        for await (const chunk of await storage.open(KEY)) chunks.push(chunk);
      })();
      await expect(reading).rejects.toThrow(StorageUnavailableError);
      expect(Buffer.concat(chunks).length).toBeLessThanOrEqual(100_000);
    },
  );

  test('is another thing than a slow one, or than a reader who takes a break', async () => {
    const content = randomBytes(300_000);
    await put(content);
    // Shorter than the whole file takes, and than the break. Much longer than the pause before a chunk.
    storage = openStorage(s3, { timeouts: { chunkMs: 1_000 } });
    s3.failNext({ kind: 'slow', pauseMs: 50, chunkBytes: 10_000 });
    expect(await read()).toEqual(content);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const file = (await storage.open(KEY)) as Duplex;
    await vi.waitUntil(() => file.writableNeedDrain);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await buffer(file)).toEqual(content);
  });
});

test('as many readers as there are sockets keep no other call waiting', async () => {
  storage = openStorage(s3, { timeouts: { answerMs: 2_000, chunkMs: 60_000 } });
  await put();
  s3.failAll({ kind: 'stall', on: 'GET', afterBytes: 1 });
  const readers: Readable[] = [];
  for (let reader = 0; reader < 250; reader++) readers.push(await storage.open(KEY));
  // The fault was for the readers. What they have begun goes on.
  s3.failAll(null);
  await storage.check();
  await storage.put('small.txt', Buffer.from('small'), 'text/plain');
  expect((await storage.read('small.txt')).toString()).toBe('small');
  expect(await storage.findSize(KEY)).toBe(4);
  await put(Buffer.from('other'));
  await storage.remove(KEY);
  await put(Buffer.from('third'));
  await expect(storage.open(KEY)).rejects.toThrow(StorageUnavailableError);
  for (const reader of readers) reader.destroy();
  expect((await read()).toString()).toBe('third');
});

test('a check that cannot read back what it has written leaves nothing', async () => {
  s3.failAll({ kind: 'access_denied', on: 'GET' });
  await expect(storage.check()).rejects.toThrow(StorageUnavailableError);
  expect(s3.objects.size).toBe(0);
});

test('a reader who goes away ends the connection', async () => {
  await put(randomBytes(5_000_000));
  s3.failNext({ kind: 'stall', afterBytes: 10 });
  const file = await storage.open(KEY);
  file.destroy();
  await until(async () => expect(await s3.countConnections()).toBe(0));
});

describe('a link', () => {
  const type = { contentType: 'video/mp4' };
  const getLink = async (options = {}) => new URL((await storage.findLink(KEY, { ...type, ...options })) ?? '');

  test('opens the file for a minute, with the name and the type that it was made with', async () => {
    await put(Buffer.from('0123456789'));
    const contentDisposition = `attachment; filename="video.mp4"; filename*=UTF-8''%D0%B2%D0%B8%D0%B4%D0%B5%D0%BE.mp4`;
    const link = await getLink({ contentDisposition });
    expect(link.searchParams.get('X-Amz-Expires')).toBe('60');
    expect(link.search).not.toContain('checksum');
    const whole = await fetch(link);
    expect(await whole.text()).toBe('0123456789');
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-disposition': contentDisposition,
      'cache-control': 'private, no-store',
    });
    const part = await fetch(link, { headers: { range: 'bytes=2-4' } });
    expect([part.status, await part.text()]).toEqual([206, '234']);
    s3.moveClock(61_000);
    expect((await fetch(link)).status).toBe(403);
  });

  test('opens nothing else, and cannot be changed', async () => {
    await put();
    await put(Buffer.from('other'), 'results/1002/b/0/original.mp4');
    const link = (await getLink()).href;
    for (const forged of [
      link.replace('1001/a', '1002/b'),
      link.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'),
      `${link}&response-content-disposition=inline`,
      link.split('?')[0] ?? '',
    ]) {
      expect((await fetch(forged)).status, forged).toBe(403);
    }
    expect((await fetch(link, { method: 'PUT', body: 'x' })).status).toBe(403);
    expect((await fetch(link)).status).toBe(200);
  });

  test('leads to the address that browsers reach, if there is one', async () => {
    storage = openStorage(s3, { publicEndpoint: 'https://files.example' });
    expect((await getLink()).origin).toBe('https://files.example');
    storage = openStorage(s3, { publicEndpoint: null });
    expect(await storage.findLink(KEY, type)).toBeNull();
  });
});

test('a file that is gone from an open bucket is absent, and the check leaves nothing', async () => {
  await storage.check();
  expect(s3.objects.size).toBe(0);
  expect(await storage.findSize(KEY)).toBeNull();
  await expect(storage.open(KEY)).rejects.toThrow(ObjectNotFoundError);
});

test('a file is not absent from a bucket that was removed after it had answered', async () => {
  await put();
  expect(await storage.findSize(KEY)).toBe(4);
  s3.removeBucket();
  await expect(storage.findSize(KEY)).rejects.toThrow(StorageUnavailableError);
});
