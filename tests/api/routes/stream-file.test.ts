import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createDiskStorage } from '#api/adapters/storage/disk-storage.ts';
import { type ObjectStorage, StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import { addErrorHandler } from '#api/plugins/error-handler.ts';
import { describeAttachment, parseRange, sendStoredFile } from '#api/routes/stream-file.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { createProcessState } from '#api/services/core/process-state.ts';

const SIZE = 1000;
const content = randomBytes(SIZE);
const BIG_BYTES = 20_000_000;
const big = randomBytes(BIG_BYTES);
let folder: string;
let storage: ObjectStorage;
let server: FastifyInstance;
let origin: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'podium-streaming-'));
  storage = createDiskStorage({ folder });
  await storage.put('videos/a.mp4', content, 'video/mp4');
  await storage.put('videos/empty.mp4', Buffer.alloc(0), 'video/mp4');
  await storage.put('videos/big.mp4', big, 'video/mp4');
  // There is no database whose files the storage could lack.
  const state = createProcessState();
  vi.spyOn(state.storageSample, 'run').mockResolvedValue();
  server = Fastify({ forceCloseConnections: true });
  addErrorHandler(server);
  server.route<{ Params: { name: string }; Querystring: { ranges?: string; as?: string } }>({
    method: ['GET', 'HEAD'],
    url: '/:name',
    handler: (request, reply) =>
      sendStoredFile({ storage, state, config: { mediaAccel: 'off' } } as unknown as AppContext, {
        request,
        reply,
        file: { key: `videos/${request.params.name}` },
        contentType: 'video/mp4',
        cacheControl: 'private, no-cache',
        allowRanges: request.query.ranges !== 'no',
        downloadName: request.query.as,
      }),
  });
  origin = await server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const ask = (headers: Record<string, string> = {}, method = 'GET', name = 'a.mp4') =>
  fetch(`${origin}/${name}`, { method, headers });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('a stored file', () => {
  test('comes whole, with its length, type and tag', async () => {
    const response = await ask();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-length': '1000',
      'content-type': 'video/mp4',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
    });
    expect(response.headers.has('content-range')).toBe(false);
    expect(response.headers.has('content-disposition')).toBe(false);
    expect(await bytesOf(response)).toEqual(content);
  });

  test('HEAD says the same without the bytes, and knows no ranges', async () => {
    const [get, head] = [await ask(), await ask({ range: 'bytes=0-9' }, 'HEAD')];
    expect(head.status).toBe(200);
    for (const name of ['content-length', 'content-type', 'accept-ranges', 'cache-control', 'etag', 'content-range']) {
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    }
    expect(await bytesOf(head)).toHaveLength(0);
    await get.arrayBuffer();
  });

  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-99', 0, 99],
    ['bytes=990-', 990, 999],
    ['bytes=500-5000', 500, 999],
    ['bytes=-10', 990, 999],
    ['bytes=-5000', 0, 999],
    ['BYTES= 5-6', 5, 6],
  ])('the range %s comes as 206', async (range, start, end) => {
    const response = await ask({ range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/1000`);
    expect(response.headers.get('content-length')).toBe(String(end - start + 1));
    expect(await bytesOf(response)).toEqual(content.subarray(start, end + 1));
  });

  test.each([
    'bytes=9-5',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'bytes=0-1,5-6',
    'lines=0-1',
    'bytes=0',
    'bytes=--1',
    '0-1',
  ])('a range that means nothing to us (%s) is ignored', async (range) => {
    const response = await ask({ range });
    expect(response.status).toBe(200);
    expect(await bytesOf(response)).toEqual(content);
  });

  test.each(['bytes=1000-', 'bytes=5000-6000', 'bytes=-0'])(
    'a range beyond the end (%s) answers 416',
    async (range) => {
      const response = await ask({ range });
      expect(response.status).toBe(416);
      expect(response.headers.get('content-range')).toBe('bytes */1000');
      expect(response.headers.get('cache-control')).not.toBe('private, no-cache');
      expect(await response.json()).toMatchObject({
        code: 'range_not_satisfiable',
        message: expect.stringMatching(/[а-я]/),
      });
    },
  );

  test('If-None-Match with its tag answers 304 without bytes', async () => {
    const etag = (await ask()).headers.get('etag') ?? '';
    for (const value of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await ask({ 'if-none-match': value });
      expect(response.status).toBe(304);
      expect(response.headers.get('etag')).toBe(etag);
      expect(await bytesOf(response)).toHaveLength(0);
    }
    expect((await ask({ 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('If-Range gives the range of the same file, and the whole of another', async () => {
    const etag = (await ask()).headers.get('etag') ?? '';
    expect((await ask({ range: 'bytes=0-9', 'if-range': etag })).status).toBe(206);
    const changed = await ask({ range: 'bytes=0-9', 'if-range': '"other"' });
    expect(changed.status).toBe(200);
    expect(await bytesOf(changed)).toEqual(content);
    expect((await ask({ range: 'bytes=0-9', 'if-range': `W/${etag}` })).status).toBe(200);
    expect((await ask({ range: 'bytes=0-9', 'if-range': 'Wed, 21 Oct 2026 07:28:00 GMT' })).status).toBe(200);
  });

  test('without ranges it comes whole and says so', async () => {
    const response = await ask({ range: 'bytes=0-9' }, 'GET', 'a.mp4?ranges=no');
    expect(response.status).toBe(200);
    expect(response.headers.get('accept-ranges')).toBe('none');
    expect(await bytesOf(response)).toEqual(content);
  });

  test('an empty one comes whole and has no ranges', async () => {
    const whole = await ask({}, 'GET', 'empty.mp4');
    expect([whole.status, whole.headers.get('content-length')]).toEqual([200, '0']);
    expect((await ask({ range: 'bytes=0-' }, 'GET', 'empty.mp4')).status).toBe(416);
    expect((await ask({ range: 'bytes=-5' }, 'GET', 'empty.mp4')).status).toBe(416);
  });

  test('a lost one is gone, and no cache keeps the answer', async () => {
    const response = await ask({}, 'GET', 'lost.mp4');
    expect(response.status).toBe(410);
    expect(response.headers.has('etag')).toBe(false);
    expect(response.headers.get('cache-control')).not.toBe('private, no-cache');
    expect(await response.json()).toMatchObject({ code: 'file_lost' });
  });

  test.each([
    ['whole', 'big.mp4', {}],
    ['a large part', 'big.mp4', { range: 'bytes=0-999999' }],
    ['a small one', 'a.mp4', {}],
    ['a small part', 'a.mp4', { range: 'bytes=0-9' }],
  ])('that breaks before its first byte (%s) leaves nothing of itself in the error', async (_part, name, headers) => {
    const away = new StorageUnavailableError(new Error('away'));
    const broken = new Readable({ read: () => broken.destroy(away) });
    const spies = [
      vi.spyOn(storage, 'openToSend').mockResolvedValueOnce(broken),
      vi.spyOn(storage, 'read').mockRejectedValueOnce(away),
    ];
    const response = await ask(headers, 'GET', `${name}?as=a.mp4`);
    for (const spy of spies) spy.mockRestore();
    expect(response.status).toBe(503);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const names = ['accept-ranges', 'content-disposition', 'content-range', 'etag', 'last-modified'];
    expect(names.filter((name) => response.headers.has(name))).toEqual([]);
    expect(await response.json()).toMatchObject({ code: 'storage_unavailable' });
  });

  test('a large one comes right to a reader who takes breaks, whole and in part', async () => {
    for (const [headers, expected] of [
      [{}, big],
      [{ range: 'bytes=70001-9000000' }, big.subarray(70_001, 9_000_001)],
    ] as const) {
      const [response] = await once(http.get(`${origin}/big.mp4`, { headers }), 'response');
      const chunks: Buffer[] = [];
      for await (const chunk of response) {
        // At first nothing is taken until every buffer on the way is full.
        if (chunks.length === 0) await wait(100);
        chunks.push(chunk);
      }
      expect(Buffer.concat(chunks).equals(expected)).toBe(true);
    }
  });

  test('a large one that is shorter than it was breaks off instead of leaving its reader waiting', async () => {
    vi.spyOn(storage, 'findSize').mockResolvedValueOnce(BIG_BYTES + 1);
    const response = await ask({}, 'GET', 'big.mp4');
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  test('a download carries its name in both spellings', async () => {
    const response = await ask({}, 'GET', `a.mp4?as=${encodeURIComponent('Платье "лето".mp4')}`);
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="Plate _leto_.mp4"; filename*=UTF-8''${encodeURIComponent('Платье "лето".mp4')}`,
    );
  });

  test.runIf(process.platform === 'linux')('a client that goes away in the middle leaves no file open', async () => {
    for (let i = 0; i < 20; i++) {
      await new Promise<void>((resolve) => {
        const request = http.get(`${origin}/big.mp4`, (response) => {
          response.once('data', () => request.destroy());
          response.on('error', () => {});
          response.once('close', resolve);
        });
      });
    }
    await expect.poll(countOpenFiles, { timeout: 60_000 }).toBe(0);
    expect((await ask()).status).toBe(200);
  });
});

async function countOpenFiles(): Promise<number> {
  await wait(20);
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return links.filter((link) => link.startsWith(folder)).length;
}

test('numbers that no file can have do not confuse the ranges', () => {
  expect(parseRange('bytes=0-999999999999999', 10)).toEqual({ start: 0, end: 9 });
  expect(parseRange('bytes=9999999999999999999-', 10)).toBeNull();
});

test('an attachment cannot smuggle a header or a second name', () => {
  expect(describeAttachment('a"; filename="b\r\nX: 1\\.mp4')).toBe(
    `attachment; filename="a_; filename=_b__X: 1_.mp4"; filename*=UTF-8''a%22%3B%20filename%3D%22b%0D%0AX%3A%201%5C.mp4`,
  );
  // The Latin spelling of this character is a quotation mark.
  expect(describeAttachment('a\uff02b.mp4')).toContain('filename="a_b.mp4"');
  expect(describeAttachment("it's (1)*.mp4")).toContain("UTF-8''it%27s%20%281%29%2A.mp4");
});
