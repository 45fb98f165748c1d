import { useCallback, useEffect, useRef } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { type ConsentedStart, isStale } from '#pwa/lib/consented-start.ts';
import { ignoreFailure } from '#pwa/lib/storage.ts';
import {
  forgetQueuedUpload,
  isSettled,
  queueStart,
  type UploadSlot,
  type Withdrawal,
  withdrawStart,
} from '#pwa/lib/upload-queue.ts';
import { useQueuedUpload } from '#pwa/lib/use-queued-upload.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { announcePhoto } from './announce-photo.ts';

export interface StartLater {
  /** Whether a photo is on its way to this tool: it is what the next start is for, and not the one before. */
  hasWaitingPhoto: boolean;
  /** The price that was agreed to, in stars; null while nothing was. */
  agreedPrice: number | null;
  /** Starts as soon as there is a connection, with the photo that waits on the device, else with this one. */
  agree: (start: ConsentedStart, photo: UploadedPhoto | null) => void;
  /** Says so where it is too late. */
  withdraw: () => void;
}

interface Outcomes {
  /** What was agreed to has been started. */
  onStarted: (generationId: string) => void;
  /** The photo that waited is on the server. */
  onPhoto: (photo: UploadedPhoto) => void;
  /** The server has refused it; by its code, where it gave one. */
  onFailed?: (code: string | null) => void;
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
    const { id, photo, isPhotoKnown, start, generationId, failure } = waiting;
    // Whoever has put it there or sent it: this page, another tab or the worker.
    if (start && !isSettled(waiting)) return;
    ignoreFailure(forgetQueuedUpload(userId, slot, id));
    if (!isPhotoKnown) told.current.onPhoto(photo);
    if (generationId) told.current.onStarted(generationId);
    else if (failure) {
      toast({ title: told.current.failedTitle, description: failure.message, tone: 'danger' });
      told.current.onFailed?.(failure.code);
    } else announcePhoto(photo);
  }, [waiting, userId, slot]);

  const current = waiting && !isSettled(waiting) ? waiting : null;
  const queuedId = current && !current.isPhotoKnown ? current.id : null;
  const start = current?.start && !isStale(current.start, Date.now()) ? current.start : null;
  return {
    hasWaitingPhoto: queuedId !== null,
    agreedPrice: start?.price ?? null,
    agree: useCallback(
      (agreed, photo) => {
        const shown = queuedId !== null ? { queuedId } : photo && { photo };
        if (shown) ignoreFailure(queueStart(userId, agreed, shown));
      },
      [userId, queuedId],
    ),
    withdraw: useCallback(() => ignoreFailure(withdrawStart(userId, slot).then(sayWithdrawal)), [userId, slot]),
  };
}

function sayWithdrawal(withdrawal: Withdrawal): void {
  if (withdrawal === 'underway') {
    toast({ title: 'Уже запускаем', description: 'Запрос ушёл раньше отмены. Остановить можно, когда появится ход' });
  }
  if (withdrawal === 'unsure') {
    toast({
      title: 'Больше не запускаем',
      description: 'Прошлая попытка осталась без ответа: если генерация всё же началась, вы увидите её в галерее',
    });
  }
}
