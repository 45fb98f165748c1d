import type { Readable } from 'node:stream';

/** Both ends count, in bytes, as in an HTTP Range. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface ListedObject {
  key: string;
  modifiedAt: Date;
}

/**
 * Keeps files under keys such as `photos/1001/<id>/master.jpg`. A key is made by us, never taken from a request.
 * A file is whole or absent: a reader never sees half of it.
 */
export interface ObjectStorage {
  readonly name: string;
  put(key: string, content: Buffer | Readable): Promise<void>;
  /** Throws ObjectNotFoundError. */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** Size in bytes, or null when there is no such file. */
  findSize(key: string): Promise<number | null>;
  /** Removing what is not there is not an error. */
  remove(key: string): Promise<void>;
  /** Every file below a folder such as `photos/1001/`, in no order; one that comes or goes meanwhile may be there or not. */
  list(folder: string): AsyncIterable<ListedObject>;
  /** Resolves when the storage can be written to; throws otherwise. */
  check(): Promise<void>;
}

export class ObjectNotFoundError extends Error {
  constructor(key: string) {
    super(`No object under ${key}`);
    this.name = 'ObjectNotFoundError';
  }
}
