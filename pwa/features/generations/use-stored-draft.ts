import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ignoreFailure, readStored, removeStored, type StoredShape, writeStored } from '#pwa/device/storage.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';

/** How a tool stores what was chosen and not sent yet, so that buying stars or a reload loses nothing. */
export interface DraftRecord<Draft> {
  name: string;
  /** A draft without this shape is shown and not stored. */
  shape: StoredShape<Draft>;
  empty: Draft;
  /** Joins two drafts. What both have chosen is taken from the newer one. */
  join: (older: Draft, newer: Draft) => Draft;
}

export interface StoredDraft<Draft> {
  draft: Draft;
  /** False until the device's record has been read. */
  isRead: boolean;
  /** Changes the draft and stores it. */
  change: (next: (current: Draft) => Draft) => void;
  /** Changes the draft without storing it: the choices are stored elsewhere or must not be. */
  restore: (next: (current: Draft) => Draft) => void;
  /** Removes the draft from the device. The shown choices stay. */
  forget: () => void;
}

/** The photo of a draft, or `changed` where that is the same photo with another article. */
export function withArticle<Photo extends UploadedPhoto | null>(photo: Photo, changed: UploadedPhoto) {
  return photo?.id === changed.id ? changed : photo;
}

/** Whether a photo was chosen that differs from the one that something is made of, as far as that is known. */
export function isOtherPhoto(chosen: UploadedPhoto | null, made: UploadedPhoto | null | undefined): boolean {
  return chosen !== null && made != null && chosen.id !== made.id;
}

/** Changes the draft of a tool whose page is not open. */
export async function changeStoredDraft<Draft>(
  userId: number,
  { name, shape, empty }: DraftRecord<Draft>,
  next: (saved: Draft) => Draft,
): Promise<void> {
  const changed = shape.safeParse(next((await readStored(userId, name, shape)) ?? empty));
  if (changed.success) await writeStored(userId, name, changed.data);
}

/** The draft of a tool's page. `record` is the same object on every render. */
export function useStoredDraft<Draft>(userId: number, record: DraftRecord<Draft>): StoredDraft<Draft> {
  const { name, shape, empty, join } = record;
  const [draft, setDraft] = useState(empty);
  const [isRead, setIsRead] = useState(false);
  // Two changes before the next render: the second builds on the first.
  const latest = useRef(draft);
  const restore = (next: (current: Draft) => Draft) => {
    latest.current = next(latest.current);
    setDraft(latest.current);
  };
  // What was chosen before the draft of an earlier visit was read is newer than that, and what was only restored is older.
  const isChosen = useRef(false);
  const takeOver = useEffectEvent((saved: Draft | null) => {
    if (saved !== null) restore((current) => (isChosen.current ? join(saved, current) : join(current, saved)));
    setIsRead(true);
  });
  useEffect(() => {
    let isCurrent = true;
    const read = readStored(userId, name, shape).catch((error: unknown) => {
      console.warn('the device gives nothing back:', error);
      return null;
    });
    void read.then((saved) => {
      if (isCurrent) takeOver(saved);
    });
    return () => {
      isCurrent = false;
    };
  }, [userId, name, shape]);
  return {
    draft,
    isRead,
    change(next) {
      isChosen.current = true;
      restore(next);
      const fitting = shape.safeParse(latest.current);
      if (fitting.success) ignoreFailure(writeStored(userId, name, fitting.data));
    },
    restore,
    forget: () => ignoreFailure(removeStored(userId, name)),
  };
}
