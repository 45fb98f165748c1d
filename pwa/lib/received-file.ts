import { z } from 'zod';
import { readStored, removeStored, writeStored } from './storage.ts';

/** Shared by another app or opened from the computer's files. On the device's account: nobody may be signed in yet. */
const KEY = 'receivedFile';
/** A photo nobody has asked for so long was given up. */
const KEPT_MS = 24 * 3600_000;

const receivedFile = z.object({
  name: z.string(),
  type: z.string(),
  /** iOS loses the connection to its database over a Blob of the camera; plain bytes it keeps. */
  bytes: z.instanceof(ArrayBuffer),
  /** Further files that came with it and were left out. */
  leftOut: z.int(),
  receivedAt: z.number(),
});

export interface ReceivedFile {
  file: File;
  leftOut: number;
}

const listeners = new Set<() => void>();

/**
 * Of several files the first picture, else the first document: what is wrong with it is then told. Null when there is
 * neither: text, and the empty file that stands for none in a form, are nothing.
 */
export function chooseReceivedFile<F extends Pick<File, 'type' | 'size'>>(files: readonly F[]): F | null {
  const isDocument = ({ type, size }: F) => size > 0 && !type.startsWith('text/');
  return files.find(({ type }) => type.startsWith('image/')) ?? files.find(isDocument) ?? null;
}

export async function keepReceivedFile(file: File, leftOut: number): Promise<void> {
  const { name, type } = file;
  const bytes = await file.arrayBuffer();
  await writeStored('device', KEY, { name, type, bytes, leftOut, receivedAt: Date.now() });
  for (const listener of listeners) listener();
}

/** The waiting file, which waits no more; null when there is none. */
export async function takeReceivedFile(): Promise<ReceivedFile | null> {
  const stored = await readStored('device', KEY, receivedFile);
  if (!stored) return null;
  await removeStored('device', KEY);
  if (Date.now() - stored.receivedAt > KEPT_MS) return null;
  return { file: new File([stored.bytes], stored.name, { type: stored.type }), leftOut: stored.leftOut };
}

export function forgetReceivedFile(): Promise<void> {
  return removeStored('device', KEY);
}

/** Hears of files that come in while the page is open. */
export function subscribeReceivedFile(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
