import { ignoreFailure, readStored, removeStored, type StoredShape, writeStored } from '#pwa/device/storage.ts';
import type { Followed, Seed } from './followed-generation.ts';

/** Stores the followed generation on the device, so that a reload continues to follow it. */
export interface DeviceRecord<Subject> {
  encode: (followed: Followed<Subject>, at: number) => Record<string, unknown>;
  /** Null when no generation is stored. Unreadable and incomplete records are removed. */
  read: (userId: number) => Promise<Seed<Subject> | null>;
  write: (userId: number, values: Record<string, unknown>) => Promise<void>;
  forget: (userId: number) => Promise<void>;
}

interface RecordCodec<Subject, Values extends Record<string, unknown>> {
  /** The shapes of the stored values by name, in the order of writing. */
  shapes: { [Name in keyof Values]: StoredShape<Values[Name]> };
  encode: (followed: Followed<Subject>, at: number) => Values;
  decode: (values: Values) => Seed<Subject> | null;
}

/** Creates the record of one tool from its names and shapes. */
export function createDeviceRecord<Subject, Values extends Record<string, unknown>>(
  codec: RecordCodec<Subject, Values>,
): DeviceRecord<Subject> {
  const names = Object.keys(codec.shapes);
  const forget = async (userId: number) => {
    // The value written last is removed first. Until all are gone the record is incomplete and counts as none.
    for (const name of [...names].reverse()) await removeStored(userId, name);
  };
  return {
    encode: codec.encode,
    forget,
    async read(userId) {
      const values: Record<string, unknown> = {};
      for (const name of names)
        values[name] = await readStored(userId, name, codec.shapes[name] as StoredShape<unknown>);
      const isWhole = names.every((name) => values[name] !== null);
      const seed = isWhole ? codec.decode(values as Values) : null;
      if (!seed) await forget(userId);
      return seed;
    },
    async write(userId, values) {
      for (const name of names) await writeStored(userId, name, values[name]);
    },
  };
}

export interface RecordWriter<Subject> {
  save: (followed: Followed<Subject>) => void;
  forget: () => void;
}

/** Keeps the device's record up to date, with one write after another and none that changes nothing. */
export function createRecordWriter<Subject>(record: DeviceRecord<Subject>, userId: number): RecordWriter<Subject> {
  let written: string | null = null;
  let writing = Promise.resolve();
  const queue = (write: () => Promise<void>) => {
    const next = writing.then(write);
    ignoreFailure(next);
    writing = next.catch(() => undefined);
  };
  return {
    save(followed) {
      const values = record.encode(followed, Date.now());
      const text = JSON.stringify(values);
      if (text === written) return;
      written = text;
      queue(() => record.write(userId, values));
    },
    forget() {
      written = null;
      queue(() => record.forget(userId));
    },
  };
}
