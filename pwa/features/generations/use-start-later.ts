import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { ignoreFailure } from '#pwa/device/storage.ts';
import { type ConsentedStart, isStale } from '#pwa/features/consent/consented-start.ts';
import { afterConsent, refreshConsentNeeds } from '#pwa/features/consent/document-consent.ts';
import { noteRefusal } from '#pwa/features/tools/tool-offer.ts';
import { isSettled, readWait, type UploadWait } from '#pwa/features/uploads/queued-upload.ts';
import {
  forgetQueuedUpload,
  queueStart,
  resumeAfterConsent,
  retryQueuedUpload,
  type UploadSlot,
  type Withdrawal,
  withdrawStart,
} from '#pwa/features/uploads/upload-queue.ts';
import { useQueuedUpload } from '#pwa/features/uploads/use-queued-upload.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { announcePhoto } from './announce-photo.ts';

export interface StartLater {
  /** Whether a photo is queued for this tool. The next start is for that photo, not for the previous one. */
  hasWaitingPhoto: boolean;
  /** The agreed price in stars; null without a consent. */
  agreedPrice: number | null;
  /** Agrees now to a start that happens once there is a connection. It uses the queued photo, or else this one. */
  agree: (start: ConsentedStart, photo: UploadedPhoto | null) => void;
  /** The agreed start waits until the person has given the consents that it needs. */
  awaitsConsent: boolean;
  /** Asks for that consent, and lets the start go on. */
  consent: () => void;
  /** What the start or its photo waits for; null when nothing waits. A waiting photo says so itself. */
  wait: UploadWait | null;
  retry: () => void;
  /** Withdraws the consent. Says so if it is too late. */
  withdraw: () => void;
}

interface Outcomes {
  isAbroad: boolean;
  onStarted: (generationId: string) => void;
  onPhoto: (photo: UploadedPhoto) => void;
  /** The server has refused it, with its error code if it sent one. */
  onFailed?: (code: string | null) => void;
  failedTitle: string;
}

/** Said when a start that waited for the network lacks a consent. */
export const AWAITS_CONSENT = {
  title: 'Запуск ждёт вашего согласия',
  text: 'Фото и запуск сохранены: прочитайте документы и согласитесь, и генерация начнётся.',
} as const;

/** «Запустить, когда появится связь»: stars are spent later only for the price that is shown and agreed to now. */
export function useStartLater(userId: number, slot: UploadSlot, outcomes: Outcomes): StartLater {
  const waiting = useQueuedUpload(userId, slot);
  const queryClient = useQueryClient();
  const latest = useRef(outcomes);
  latest.current = outcomes;
  const takenId = useRef<string | null>(null);

  useEffect(() => {
    if (!waiting?.photo) return;
    const { id, photo, isPhotoKnown, start, generationId, failure } = waiting;
    // It does not matter who has queued or sent it: this page, another tab or the worker.
    if (start && !isSettled(waiting)) return;
    // It may be read several times until it is forgotten.
    if (takenId.current === id) return;
    takenId.current = id;
    if (!isPhotoKnown) latest.current.onPhoto(photo);
    if (generationId) latest.current.onStarted(generationId);
    else if (failure) {
      toast({ title: latest.current.failedTitle, description: failure.message, tone: 'danger' });
      // Only a photo waits there, never a start.
      if (slot !== 'try_on_person') noteRefusal(queryClient, slot, failure);
      latest.current.onFailed?.(failure.code);
    } else announcePhoto(photo);
    // Last, so that a page that ends in between finds it again instead of finding nothing.
    ignoreFailure(forgetQueuedUpload(userId, slot, id));
  }, [waiting, userId, slot, queryClient]);

  const awaitsConsent = waiting?.awaitsConsent === true && waiting.start !== null;
  useEffect(() => {
    if (!awaitsConsent) return;
    toast({ title: AWAITS_CONSENT.title, description: AWAITS_CONSENT.text, tone: 'danger' });
    void refreshConsentNeeds(queryClient);
  }, [awaitsConsent, queryClient]);

  const current = waiting && !isSettled(waiting) ? waiting : null;
  const queuedId = current && !current.isPhotoKnown ? current.id : null;
  const start = current?.start && !isStale(current.start, Date.now()) ? current.start : null;
  return {
    hasWaitingPhoto: queuedId !== null,
    agreedPrice: start?.price ?? null,
    awaitsConsent,
    wait: current && readWait(current),
    retry: () => ignoreFailure(retryQueuedUpload(userId, slot)),
    consent: () => afterConsent(queryClient, outcomes.isAbroad, () => ignoreFailure(resumeAfterConsent(userId))),
    agree: (agreed, photo) => {
      const shown = queuedId !== null ? { queuedId } : photo && { photo };
      if (shown) ignoreFailure(queueStart(userId, agreed, shown));
    },
    withdraw: () => ignoreFailure(withdrawStart(userId, slot).then(showWithdrawalToast)),
  };
}

function showWithdrawalToast(withdrawal: Withdrawal): void {
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
