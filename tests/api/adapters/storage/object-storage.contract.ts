import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ListedObject, ObjectNotFoundError, type ObjectStorage } from '#api/adapters/storage/object-storage.ts';

/** The contract of every storage. Each adapter's tests run it. */
export function describeObjectStorage(openStorage: () => Promise<ObjectStorage>): void {
  describe('object storage', () => {
    let storage: ObjectStorage;
    beforeAll(async () => {
      storage = await openStorage();
    });
    const newKey = () => `photos/1001/${randomUUID()}/master.jpg`;
    const read = async (key: string, range?: { start: number; end: number }) => buffer(await storage.open(key, range));

    const list = async (folder: string) => {
      const listed: ListedObject[] = [];
      for await (const object of storage.list(folder)) listed.push(object);
      return listed;
    };

    test('what is put can be read again, from a buffer and from a stream', async () => {
      const content = randomBytes(300_000);
      const [fromBuffer, fromStream] = [newKey(), newKey()];
      await storage.put(fromBuffer, content, 'image/jpeg');
      const open = () => Readable.from([content.subarray(0, 1000), content.subarray(1000)]);
      await storage.put(fromStream, { open, bytes: 300_000 }, 'image/jpeg');
      expect(await read(fromBuffer)).toEqual(content);
      expect(await read(fromStream)).toEqual(content);
      expect(await storage.findSize(fromStream)).toBe(300_000);
    });

    test('lists every file below a folder, and none beside it', async () => {
      const [folder, started] = [`photos/${randomInt(1e6, 1e9)}`, Date.now()];
      const keys = [`${folder}/a/master.jpg`, `${folder}/a/deeper/preview.webp`, `${folder}/b.jpg`];
      for (const key of [...keys, `${folder}1/beside.jpg`]) await storage.put(key, Buffer.from('file'), 'image/jpeg');
      await storage.remove(keys.pop() as string);
      const listed = await list(`${folder}/`);
      expect(listed.map(({ key }) => key).sort()).toEqual(keys.sort());
      for (const { key, bytes } of listed) expect(bytes).toBe(await storage.findSize(key));
      // The clocks of file systems are coarse.
      for (const { modifiedAt } of listed) expect(modifiedAt.getTime()).toBeGreaterThan(started - 2000);
      expect(await list('photos/no-such-folder/')).toEqual([]);
    });

    test('an empty file is a file', async () => {
      const key = newKey();
      await storage.put(key, Buffer.alloc(0), 'image/jpeg');
      expect(await storage.findSize(key)).toBe(0);
      expect(await read(key)).toHaveLength(0);
    });

    test('a range counts both of its ends', async () => {
      const key = newKey();
      await storage.put(key, Buffer.from('0123456789'), 'image/jpeg');
      expect((await read(key, { start: 2, end: 4 })).toString()).toBe('234');
      expect((await read(key, { start: 0, end: 0 })).toString()).toBe('0');
      expect((await read(key, { start: 9, end: 9 })).toString()).toBe('9');
    });

    test('a part can be read at once, and be sent to a connection', async () => {
      const key = newKey();
      const content = randomBytes(700_000);
      await storage.put(key, content, 'video/mp4');
      const range = { start: 3, end: 600_002 };
      expect(await storage.read(key, { start: 2, end: 4 })).toEqual(content.subarray(2, 5));
      const received: Buffer[] = [];
      // Copies each chunk before it calls back, as a connection does.
      const connection = new Writable({
        write: (chunk, _encoding, done) => done(void received.push(Buffer.from(chunk))),
      });
      (await storage.openToSend(key, range)).pipe(connection);
      await finished(connection);
      expect(Buffer.concat(received).equals(content.subarray(3, 600_003))).toBe(true);
    });

    test('a second put replaces the first as a whole', async () => {
      const key = newKey();
      await storage.put(key, Buffer.from('the longer first version'), 'image/jpeg');
      await storage.put(key, Buffer.from('second'), 'image/jpeg');
      expect((await read(key)).toString()).toBe('second');
    });

    test('readers at the same time see one whole version each', async () => {
      const key = newKey();
      const versions = [randomBytes(200_000), randomBytes(200_000)];
      await storage.put(key, versions[0] as Buffer, 'image/jpeg');
      const writes = Promise.all(
        Array.from({ length: 10 }, (_, i) => storage.put(key, versions[i % 2] as Buffer, 'image/jpeg')),
      );
      const reads = await Promise.all(Array.from({ length: 10 }, () => read(key)));
      await writes;
      for (const seen of reads) expect(versions.some((version) => version.equals(seen))).toBe(true);
    });

    test('a broken stream leaves nothing behind and keeps the former file', async () => {
      const [fresh, kept] = [newKey(), newKey()];
      await storage.put(kept, Buffer.from('kept'), 'image/jpeg');
      async function* breakOff() {
        yield randomBytes(100_000);
        throw new Error('cut');
      }
      const broken = () => ({ open: () => Readable.from(breakOff()), bytes: 200_000 });
      await expect(storage.put(fresh, broken(), 'image/jpeg')).rejects.toThrow('cut');
      await expect(storage.put(kept, broken(), 'image/jpeg')).rejects.toThrow('cut');
      expect(await storage.findSize(fresh)).toBeNull();
      expect((await read(kept)).toString()).toBe('kept');
    });

    test.each([
      ['fewer', 3_000],
      ['more', 1_500],
    ])('a stream that gives %s bytes than it was said to leaves nothing behind', async (_difference, bytes) => {
      const key = newKey();
      const stream = Readable.from([randomBytes(1000), randomBytes(500), randomBytes(500)]);
      await expect(storage.put(key, { open: () => stream, bytes }, 'image/jpeg')).rejects.toThrow(
        `A stream of ${bytes} bytes gave`,
      );
      expect(await storage.findSize(key)).toBeNull();
      expect(stream.destroyed).toBe(true);
    });

    test('a file that cannot be opened for its put is an error of the put, also of the first one', async () => {
      const [key, fresh] = [newKey(), await openStorage()];
      const open = () => createReadStream(`${import.meta.filename}.missing`);
      await expect(fresh.put(key, { open, bytes: 5 }, 'image/jpeg')).rejects.toMatchObject({ code: 'ENOENT' });
      expect(await fresh.findSize(key)).toBeNull();
    });

    test('a small file is read at once', async () => {
      const key = newKey();
      await storage.put(key, Buffer.from('small'), 'text/plain');
      expect((await storage.read(key)).toString()).toBe('small');
    });

    test('a missing file has no size, cannot be opened or read and may be removed', async () => {
      const key = newKey();
      expect(await storage.findSize(key)).toBeNull();
      await expect(storage.open(key)).rejects.toThrow(ObjectNotFoundError);
      await expect(storage.read(key)).rejects.toThrow(ObjectNotFoundError);
      await expect(storage.openToSend(key, { start: 0, end: 0 })).rejects.toThrow(ObjectNotFoundError);
      await expect(storage.remove(key)).resolves.toBeUndefined();
    });

    test('a removed file is gone, its neighbour stays', async () => {
      const key = newKey();
      const neighbour = key.replace('master.jpg', 'preview.webp');
      await storage.put(key, Buffer.from('a'), 'image/jpeg');
      await storage.put(neighbour, Buffer.from('b'), 'image/jpeg');
      await storage.remove(key);
      expect(await storage.findSize(key)).toBeNull();
      expect((await read(neighbour)).toString()).toBe('b');
    });

    test('the folder of a file is not a file', async () => {
      const key = newKey();
      await storage.put(key, Buffer.from('a'), 'image/jpeg');
      const folder = key.slice(0, key.lastIndexOf('/'));
      expect(await storage.findSize(folder)).toBeNull();
      await expect(storage.open(folder)).rejects.toThrow(ObjectNotFoundError);
      await expect(storage.read(folder)).rejects.toThrow(ObjectNotFoundError);
    });

    test.each([
      '../secret',
      'photos/../../secret',
      '/etc/passwd',
      'photos//a',
      'photos/',
      '',
      '.parts/a',
      'a\\b',
      'a\0b',
    ])('the key %j is refused', async (key) => {
      await expect(storage.put(key, Buffer.from('x'), 'image/jpeg')).rejects.toThrow('Not a storage key');
      await expect(storage.open(key)).rejects.toThrow('Not a storage key');
      await expect(storage.read(key)).rejects.toThrow('Not a storage key');
      await expect(storage.findSize(key)).rejects.toThrow('Not a storage key');
      await expect(storage.remove(key)).rejects.toThrow('Not a storage key');
    });

    test('a check of a working storage passes', async () => {
      await expect(storage.check()).resolves.toBeUndefined();
    });
  });
}
