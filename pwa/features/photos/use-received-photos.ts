import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { toast } from '#pwa/components/toast.ts';
import {
  listReceived,
  putBackFirst,
  readReceived,
  removeReceived,
  subscribeReceived,
  takeFirst,
  takeUpFirst,
  takeUpOthers,
} from '#pwa/lib/received-photos.ts';
import { countLeftOut, type ReceivedPhoto } from '#pwa/lib/received-shelf.ts';
import { ignoreFailure } from '#pwa/lib/storage.ts';
import { useSessionMarker } from '#pwa/lib/use-session-marker.ts';
import { SHARE_QUERY } from '#shared/rules/share-target.ts';
import { describeLeftOut, FIRST_TAKEN } from './received-texts.ts';
import type { UploadOutcome } from './use-photo-upload.ts';

export interface ReceivedPhotosOptions {
  /** Whether this page takes the first of what another app has shared, as soon as it can take a photo. */
  takesFirst: boolean;
  canTake: boolean;
}

export interface ReceivedPhotos {
  userId: number | null;
  /** What waits, newest share first, without the one that is on its way. */
  photos: readonly ReceivedPhoto[];
  take: (photo: ReceivedPhoto) => void;
  putAway: (photos: readonly ReceivedPhoto[]) => void;
}

/**
 * Photos that another app has shared, or that were opened with the installed app: hands over the first, once, and then those
 * that somebody presses. One stays among those that wait until it has become the photo; the address then forgets about it.
 */
export function useReceivedPhotos(
  onFile: (file: File) => Promise<UploadOutcome>,
  { takesFirst, canTake }: ReceivedPhotosOptions,
): ReceivedPhotos {
  const userId = useSessionMarker()?.userId ?? null;
  const [photos, setPhotos] = useState<readonly ReceivedPhoto[]>([]);
  const [underwayId, setUnderwayId] = useState<string | null>(null);
  const handle = useRef(onFile);
  handle.current = onFile;
  const mayTake = useRef(canTake);
  mayTake.current = canTake;
  /** The account that this page is open for. */
  const openFor = useRef<number | null>(null);
  /** The first waits for its turn while no photo can be taken. */
  const isFirstDue = useRef(false);
  /** Until it has ended: of two toasts only the later one is seen. */
  const handing = useRef<Promise<void>>(Promise.resolve());

  const remove = useCallback((owner: number, ids: readonly string[]) => {
    setPhotos((now) => now.filter(({ id }) => !ids.includes(id)));
    return removeReceived(owner, ids).catch((error: unknown) => console.warn('a photo goes on waiting:', error));
  }, []);

  const hand = useCallback(
    async (owner: number, file: File, id: string | null): Promise<UploadOutcome> => {
      setUnderwayId(id);
      const outcome = await handle.current(file);
      if (id !== null && outcome !== 'lost') await remove(owner, [id]);
      setUnderwayId((now) => (now === id ? null : now));
      return outcome;
    },
    [remove],
  );

  const handFirst = useCallback(
    (owner: number): void => {
      if (!isFirstDue.current || !mayTake.current) return;
      isFirstDue.current = false;
      const takeNow = async () => {
        const first = await takeFirst(owner);
        if (!first) return;
        const isLeft = () => openFor.current !== owner;
        // The next page takes it.
        if (isLeft()) return putBackFirst(owner, first);
        const { photo, file, isKept } = first;
        const outcome = await hand(owner, file, isKept ? photo.id : null);
        // Nothing else has the file.
        if (outcome === 'lost' && !isKept && isLeft()) return putBackFirst(owner, first);
        if (outcome === 'kept' && photo.hasOthers) toast(FIRST_TAKEN);
      };
      handing.current = takeNow().catch((error: unknown) => console.warn('the first photo goes on waiting:', error));
    },
    [hand],
  );

  useEffect(() => {
    setPhotos([]);
    if (userId === null) return;
    let isCurrent = true;
    openFor.current = userId;
    const read = async (canTakeFirst: boolean) => {
      if (canTakeFirst) {
        const isDue = await takeUpFirst(userId);
        if (!isCurrent) return;
        isFirstDue.current = isDue;
        handFirst(userId);
      }
      const left = await takeUpOthers(userId);
      const listed = await listReceived(userId);
      if (!isCurrent) return;
      // The same objects for the same photos: their pictures are not made anew.
      setPhotos((now) => listed.map((photo) => now.find((known) => isSame(known, photo)) ?? photo));
      if (countLeftOut(left) === 0) return;
      await handing.current;
      toast(describeLeftOut(left));
    };
    // One after the other: what was read last counts. Without the device's storage nothing can have been kept.
    let reading: Promise<void> = Promise.resolve();
    const readNext = (canTakeFirst: boolean) => {
      reading = reading.then(() => read(canTakeFirst)).catch((error: unknown) => console.warn('nothing waits:', error));
    };
    // Not of others' news: what another app has shared is for the page that opens for it.
    const stop = subscribeReceived((news) => readNext(takesFirst && news === 'opened'));
    readNext(takesFirst);
    return () => {
      isCurrent = false;
      openFor.current = null;
      isFirstDue.current = false;
      stop();
    };
  }, [userId, takesFirst, handFirst]);

  useEffect(() => {
    if (canTake && userId !== null) handFirst(userId);
  }, [canTake, userId, handFirst]);

  useForgottenAddress(takesFirst);

  return {
    userId,
    photos: photos.filter(({ id }) => id !== underwayId),
    take: (photo) => {
      if (userId === null || !canTake) return;
      const taking = async () => {
        const file = await readReceived(userId, photo);
        if (file) await hand(userId, file, photo.id);
        // Another tab was faster.
        else await remove(userId, [photo.id]);
      };
      ignoreFailure(taking());
    },
    putAway: (unwanted) => {
      if (userId !== null)
        void remove(
          userId,
          unwanted.map(({ id }) => id),
        );
    },
  };
}

/** The query of a share goes from the address, so that a reload is none. */
function useForgottenAddress(isEnabled: boolean): void {
  const { search, pathname } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (!isEnabled || new URLSearchParams(search).get('share') !== SHARE_QUERY.received) return;
    void navigate(pathname, { replace: true, preventScrollReset: true });
  }, [isEnabled, search, pathname, navigate]);
}

function isSame(known: ReceivedPhoto, photo: ReceivedPhoto): boolean {
  return known.id === photo.id && typeof known.preview === typeof photo.preview;
}
