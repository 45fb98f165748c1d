import type { Readable } from 'node:stream';

/** Both ends are inclusive, in bytes, as in an HTTP Range. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A stream that is not open yet, and the number of bytes that it gives. */
export interface SizedSource {
  /**
   * Called at most once, when somebody listens. A stream that was opened before could fail unreceived, which would end the
   * process, or stay open when its turn never comes.
   */
  open: () => Readable;
  bytes: number;
}

/** What the answer to a link says about the file. */
export interface LinkOptions {
  contentType: string;
  contentDisposition?: string | undefined;
}

/** Files that only show whether the storage works. Those that could not be removed go with the nightly sweep. */
export const PROBE_FOLDER = 'selftest/';

/** For how long a link can be opened. An answer that has begun goes on. */
export const LINK_SECONDS = 60;

export interface ListedObject {
  key: string;
  bytes: number;
  modifiedAt: Date;
}

/**
 * Stores files under keys such as `photos/1001/<id>/master.jpg`. Keys are made by us and never taken from a request. A
 * file is complete or absent: readers never see a part of it. Every call throws StorageUnavailableError when the
 * storage cannot be reached or refuses to work. So «absent» always means that the storage works and has no such file.
 */
export interface ObjectStorage {
  readonly name: string;
  /** Throws StorageFullError. */
  put(key: string, content: Buffer | SizedSource, contentType: string): Promise<void>;
  /** Throws ObjectNotFoundError. */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /**
   * Opens a part of a file for the answer to a browser, with less work than `open`. `pipe` is the only way to read it.
   * It may use one buffer again and again, so what it is piped to must be done with a chunk when it says so, as a
   * connection is. Throws ObjectNotFoundError.
   */
  openToSend(key: string, range: ByteRange): Promise<Readable>;
  /**
   * The content of a small file, or a small part of a file. Does not wait for those who read opened ones. Throws
   * ObjectNotFoundError.
   */
  read(key: string, range?: ByteRange): Promise<Buffer>;
  /**
   * An address at which whoever knows it gets the file, for LINK_SECONDS. The file may be missing. Null when browsers
   * cannot reach the storage.
   */
  findLink(key: string, options: LinkOptions): Promise<string | null>;
  /** Size in bytes, or null when there is no such file. */
  findSize(key: string): Promise<number | null>;
  /** Removing a file that does not exist is not an error. */
  remove(key: string): Promise<void>;
  /**
   * Every file below a folder such as `photos/1001/`, in no order. Files that are written or removed meanwhile may be
   * missing or included.
   */
  list(folder: string): AsyncIterable<ListedObject>;
  /** Resolves when the storage can be written to. Throws StorageFullError, StorageUnavailableError. */
  check(): Promise<void>;
  /** Space that is left, in bytes. Null when the storage has no limit that it could tell. */
  findFreeBytes(): Promise<number | null>;
}

/** Segments start with a letter or a digit, so `..` and hidden files are impossible. */
const KEY = /^[a-z0-9][\w.-]*(\/[a-z0-9][\w.-]*)*$/i;
const KEY_MAX_LENGTH = 300;

/** Throws unless it is a key that every storage takes. */
export function assertKey(key: string): void {
  if (key.length > KEY_MAX_LENGTH || !KEY.test(key)) throw new Error(`Not a storage key: ${key}`);
}

export class ObjectNotFoundError extends Error {
  readonly key: string;

  constructor(key: string) {
    super(`No object under ${key}`);
    this.name = 'ObjectNotFoundError';
    this.key = key;
  }
}

/** Nothing more can be written, because the disk or the quota is full. Reading works. */
export class StorageFullError extends Error {
  constructor(cause: unknown) {
    super('The storage is full', { cause });
    this.name = 'StorageFullError';
  }
}

/** The storage cannot be reached or does not work at the moment: nothing can be said about any file. */
export class StorageUnavailableError extends Error {
  constructor(cause: unknown) {
    super('The storage is not available', { cause });
    this.name = 'StorageUnavailableError';
  }
}

export function isStorageFailure(error: unknown): error is StorageFullError | StorageUnavailableError {
  return error instanceof StorageFullError || error instanceof StorageUnavailableError;
}
