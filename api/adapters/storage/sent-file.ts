import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { readDiskError } from './disk-failures.ts';
import type { ByteRange } from './object-storage.ts';

/** What one answer holds at most, also for a reader who takes a break. */
const BUFFER_BYTES = 256 * 1024;

/**
 * A part of an open file, for the answer to a browser. Can only be piped, and closes the file. All of it goes through
 * one buffer: a stream of Node takes a new one for every 64 KB, which costs more than twice the CPU.
 */
export class SentFile extends Readable {
  readonly #file: FileHandle;
  readonly #range: ByteRange;

  constructor(file: FileHandle, range: ByteRange) {
    super();
    this.#file = file;
    this.#range = range;
  }

  override pipe<T extends NodeJS.WritableStream>(connection: T): T {
    this.#send(connection).then(
      () => {
        // It has ended for whoever waits for it.
        this.push(null);
        this.resume();
      },
      (error: unknown) => this.destroy(readDiskError(error) as Error),
    );
    return connection;
  }

  async #send(connection: NodeJS.WritableStream): Promise<void> {
    const { start, end } = this.#range;
    const buffer = Buffer.allocUnsafeSlow(Math.min(BUFFER_BYTES, end + 1 - start));
    for (let position = start; position <= end; ) {
      const length = Math.min(buffer.length, end + 1 - position);
      const { bytesRead } = await this.#file.read(buffer, 0, length, position);
      if (bytesRead === 0) throw new Error('a stored file has become shorter');
      position += bytesRead;
      // Called back once the system has the bytes, so the buffer is free again.
      await new Promise<void>((resolve, reject) => {
        connection.write(buffer.subarray(0, bytesRead), (error) => (error ? reject(error) : resolve()));
      });
    }
    connection.end();
  }

  override _read(): void {}

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // Waits for a read that is under way.
    this.#file.close().then(
      () => done(error),
      (closing: Error) => done(error ?? closing),
    );
  }
}
