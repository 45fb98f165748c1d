import { readStored, removeStored, type StoredShape, writeStored } from '#pwa/lib/storage.ts';
import type { Followed, Seed } from './followed-generation.ts';

/** What a device keeps of the generation that is followed, so that a reload goes on with it. */
export interface DeviceRecord<Subject> {
  encode: (followed: Followed<Subject>, at: number) => Record<string, unknown>;
  /** Null where there is none worth following; what cannot be read, and halves, are removed. */
  read: (userId: number) => Promise<Seed<Subject> | null>;
  write: (userId: number, values: Record<string, unknown>) => Promise<void>;
  forget: (userId: number) => Promise<void>;
}

interface RecordCodec<Subject, Values extends Record<string, unknown>> {
  /** By the names of the stored values, in the order of writing. */
  shapes: { [Name in keyof Values]: StoredShape<Values[Name]> };
  encode: (followed: Followed<Subject>, at: number) => Values;
  decode: (values: Values) => Seed<Subject> | null;
}

/** The record of one tool, by its names and its shape. */
export function createDeviceRecord<Subject, Values extends Record<string, unknown>>(
  codec: RecordCodec<Subject, Values>,
): DeviceRecord<Subject> {
  const names = Object.keys(codec.shapes);
  const forget = async (userId: number) => {
    // What is written last goes first: until all is gone it is a half, and counts as none.
    for (const name of names.toReversed()) await removeStored(userId, name);
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
