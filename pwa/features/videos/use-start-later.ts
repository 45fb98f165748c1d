import { useCallback, useEffect, useRef, useState } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { ignoreFailure } from '#pwa/lib/storage.ts';
import {
  forgetQueuedUpload,
  type QueuedUpload,
  queueStart,
  readQueuedUpload,
  subscribeUploads,
  withdrawStart,
} from '#pwa/lib/upload-queue.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { videoSettings } from '#shared/contract/videos.ts';
import { videoPrice } from '#shared/rules/prices.ts';
import { toVideoSettings, type VideoForm } from './video-form.ts';
import { VIDEO_TEXTS } from './video-texts.ts';

export interface StartLater {
  /** Whether a photo waits on the device, so that there is something to start with. */
  hasWaitingPhoto: boolean;
  /** The price that was agreed to, in stars; null while nothing was. */
  agreedPrice: number | null;
  agree: (form: VideoForm, photo: UploadedPhoto | null) => void;
  withdraw: () => void;
}

interface Outcomes {
  /** The photo went out with the start that was agreed to. */
  onStarted: (generationId: string) => void;
  /** The photo is on the server, but nothing was started. */
  onPhotoOnly: (photo: UploadedPhoto) => void;
}

/** «Запустить, когда появится связь»: stars are spent later only with the price seen and agreed to now. */
export function useStartLater(userId: number, outcomes: Outcomes): StartLater {
  const [waiting, setWaiting] = useState<QueuedUpload | null>(null);
  const told = useRef(outcomes);
  told.current = outcomes;

  useEffect(() => {
    let isCurrent = true;
    const read = () =>
      ignoreFailure(
        readQueuedUpload(userId, 'video').then((upload) => {
          if (isCurrent) setWaiting(upload);
        }),
      );
    read();
    const stop = subscribeUploads(read);
    return () => {
      isCurrent = false;
      stop();
    };
  }, [userId]);

  useEffect(() => {
    if (!waiting?.photo) return;
    const { photo, generationId, failure, start } = waiting;
    if (generationId) {
      ignoreFailure(forgetQueuedUpload(userId, 'video'));
      told.current.onStarted(generationId);
    } else if (failure || (!start && waiting.file === null)) {
      if (!failure) return;
      ignoreFailure(forgetQueuedUpload(userId, 'video'));
      toast({ title: VIDEO_TEXTS.startFailed, description: failure.message, tone: 'danger' });
      told.current.onPhotoOnly(photo);
    }
  }, [waiting, userId]);

  return {
    hasWaitingPhoto: Boolean(waiting?.file && !waiting.failure),
    agreedPrice: waiting?.start?.price ?? null,
    agree: useCallback(
      (form, photo) => {
        const settings = videoSettings.partial().parse(toVideoSettings(form));
        const start = { price: videoPrice(form.duration), settings, agreedAt: Date.now() };
        ignoreFailure(queueStart(userId, start, photo));
      },
      [userId],
    ),
    withdraw: useCallback(() => ignoreFailure(withdrawStart(userId)), [userId]),
  };
}
