import { useCallback, useEffect, useRef } from 'react';
import { toast } from '#pwa/components/toast.ts';
import type { ConsentedStart } from '#pwa/lib/consented-start.ts';
import { ignoreFailure } from '#pwa/lib/storage.ts';
import { forgetQueuedUpload, queueStart, type UploadSlot, withdrawStart } from '#pwa/lib/upload-queue.ts';
import { useQueuedUpload } from '#pwa/lib/use-queued-upload.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';

export interface StartLater {
  /** Whether a photo waits on the device, so that there is something to start with. */
  hasWaitingPhoto: boolean;
  /** The price that was agreed to, in stars; null while nothing was. */
  agreedPrice: number | null;
  /** Starts as soon as there is a connection, with the photo that waits on the device, else with this one. */
  agree: (start: ConsentedStart, photo: UploadedPhoto | null) => void;
  withdraw: () => void;
}

interface Outcomes {
  /** The photo went out with the start that was agreed to. */
  onStarted: (generationId: string) => void;
  /** The photo is on the server, but nothing was started. */
  onPhotoOnly: (photo: UploadedPhoto) => void;
  /** Title of the toast that says so. */
  failedTitle: string;
}

/** «Запустить, когда появится связь»: stars are spent later only with the price seen and agreed to now. */
export function useStartLater(userId: number, slot: UploadSlot, outcomes: Outcomes): StartLater {
  const waiting = useQueuedUpload(userId, slot);
  const told = useRef(outcomes);
  told.current = outcomes;

  useEffect(() => {
    if (!waiting?.photo) return;
    const { photo, generationId, failure } = waiting;
    if (!generationId && !failure) return;
    ignoreFailure(forgetQueuedUpload(userId, slot));
    if (generationId) return told.current.onStarted(generationId);
    toast({ title: told.current.failedTitle, description: failure?.message, tone: 'danger' });
    told.current.onPhotoOnly(photo);
  }, [waiting, userId, slot]);

  return {
    hasWaitingPhoto: Boolean(waiting?.file && !waiting.failure),
    agreedPrice: waiting?.start?.price ?? null,
    agree: useCallback((start, photo) => ignoreFailure(queueStart(userId, start, photo)), [userId]),
    withdraw: useCallback(() => ignoreFailure(withdrawStart(userId, slot)), [userId, slot]),
  };
}
