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
} from '#pwa/features/uploads/received-photos.ts';
import { countLeftOut, type ReceivedPhoto } from '#pwa/features/uploads/shared-photos.ts';
import { describeLeftOut, FIRST_TAKEN } from './received-texts.ts';
import type { UploadOutcome } from './use-photo-upload.ts';

export interface ReceiverOptions {
  /** Whether this page takes the first photo of a share, as soon as it can take a photo. */
  takesFirst: boolean;
  canTake: () => boolean;
  onFile: (file: File) => Promise<UploadOutcome>;
  /** Shows the waiting photos, newest share first, without the one that is being uploaded. */
  show: (photos: readonly ReceivedPhoto[]) => void;
}

/** Receives shared photos for one page and one account. */
export interface Receiver {
  /** Hands over the first photo if it is still due. Call it when a photo can be taken again. */
  handDue: () => void;
  take: (photo: ReceivedPhoto) => Promise<void>;
  putAway: (photos: readonly ReceivedPhoto[]) => Promise<void>;
  /** Stops taking photos. One that was handed over is still uploaded. */
  close: () => void;
}

/**
 * Hands over the first shared photo once, and then those that the person presses. A photo stops waiting only when it
 * has become the tool's photo, so an aborted upload loses nothing.
 */
export function openReceiver(userId: number, { takesFirst, canTake, onFile, show }: ReceiverOptions): Receiver {
  let isOpen = true;
  /** The first photo waits while no photo can be taken. */
  let isFirstDue = false;
  /** The hand-over in progress. Other toasts wait for it, because only the last one is visible. */
  let handing: Promise<void> = Promise.resolve();
  /** Reads run one after the other, so that the last result counts. */
  let reading: Promise<void> = Promise.resolve();
  const waiting = keepWaiting(onFile, (photos) => {
    if (isOpen) show(photos);
  });

  const handFirst = async () => {
    const first = await takeFirst(userId);
    if (!first) return;
    // The page was closed: the next page takes it.
    if (!isOpen) return putBackFirst(first.photo);
    const outcome = await waiting.hand(first.photo, first.file);
    if (outcome === 'kept' && first.photo.hasOthers) toast(FIRST_TAKEN);
  };

  const handDue = () => {
    if (!isFirstDue || !canTake()) return;
    isFirstDue = false;
    handing = handFirst().catch((error: unknown) => console.warn('the first photo goes on waiting:', error));
  };

  const read = async (canTakeFirst: boolean) => {
    if (!isOpen) return;
    if (canTakeFirst) {
      const isDue = await takeUpFirst(userId);
      if (!isOpen) return;
      isFirstDue = isDue;
      handDue();
    }
    const left = await takeUpOthers(userId);
    waiting.replace(await listReceived(userId));
    if (!isOpen || countLeftOut(left) === 0) return;
    await handing;
    toast(describeLeftOut(left));
  };
  const readNext = (canTakeFirst: boolean) => {
    // Without storage nothing can be waiting.
    reading = reading.then(() => read(canTakeFirst)).catch((error: unknown) => console.warn('nothing waits:', error));
  };
  // Only files opened in this tab: a photo shared by another app is for the page that opens for it.
  const stop = subscribeReceived((news) => readNext(takesFirst && news === 'opened'));
  readNext(takesFirst);

  return {
    handDue,
    take: async (photo) => {
      if (!canTake()) return;
      const file = await readReceived(photo);
      if (file) await waiting.hand(photo, file);
      // Another tab has already taken it.
      else await waiting.putAway([photo]);
    },
    putAway: waiting.putAway,
    close: () => {
      isOpen = false;
      isFirstDue = false;
      stop();
    },
  };
}

/** The waiting photos that this page knows. `show` gets them without the one that is being uploaded. */
function keepWaiting(onFile: ReceiverOptions['onFile'], show: ReceiverOptions['show']) {
  let photos: readonly ReceivedPhoto[] = [];
  let idInProgress: string | null = null;
  const showNow = () => show(photos.filter(({ id }) => id !== idInProgress));

  const putAway = async (unwanted: readonly ReceivedPhoto[]) => {
    photos = photos.filter(({ id }) => !unwanted.some((one) => one.id === id));
    showNow();
    await removeReceived(unwanted.map(({ id }) => id)).catch((error: unknown) =>
      console.warn('a photo goes on waiting:', error),
    );
  };

  return {
    putAway,
    hand: async (photo: ReceivedPhoto, file: File): Promise<UploadOutcome> => {
      idInProgress = photo.id;
      showNow();
      const outcome = await onFile(file);
      if (outcome !== 'lost') await putAway([photo]);
      if (idInProgress === photo.id) idInProgress = null;
      showNow();
      return outcome;
    },
    replace: (listed: readonly ReceivedPhoto[]) => {
      // Known photos keep their objects, so that their previews are not drawn again.
      photos = listed.map((photo) => photos.find((known) => isSame(known, photo)) ?? photo);
      showNow();
    },
  };
}

function isSame(known: ReceivedPhoto, photo: ReceivedPhoto): boolean {
  return known.id === photo.id && typeof known.preview === typeof photo.preview;
}
