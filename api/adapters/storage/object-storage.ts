import type { Readable } from 'node:stream';

/** Both ends are inclusive, in bytes, as in an HTTP Range. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface ListedObject {
  key: string;
  modifiedAt: Date;
}

/**
 * Stores files under keys such as `photos/1001/<id>/master.jpg`. Keys are made by us and never taken from a request. A
 * file is complete or absent: readers never see a part of it.
 */
export interface ObjectStorage {
  readonly name: string;
  put(key: string, content: Buffer | Readable): Promise<void>;
  /** Throws ObjectNotFoundError. */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** Size in bytes, or null when there is no such file. */
  findSize(key: string): Promise<number | null>;
  /** Removing a file that does not exist is not an error. */
  remove(key: string): Promise<void>;
  /**
   * Every file below a folder such as `photos/1001/`, in no order. Files that are written or removed meanwhile may be
   * missing or included.
   */
  list(folder: string): AsyncIterable<ListedObject>;
  /** Resolves when the storage can be written to. Throws otherwise. */
  check(): Promise<void>;
}

export class ObjectNotFoundError extends Error {
  constructor(key: string) {
    super(`No object under ${key}`);
    this.name = 'ObjectNotFoundError';
  }
}
