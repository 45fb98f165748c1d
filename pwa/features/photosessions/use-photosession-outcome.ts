import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { noteResult } from '#pwa/lib/first-result.ts';
import { logOutcome } from '#pwa/lib/log.ts';
import { announceInTitle } from '#pwa/lib/page-title.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { ignoreFailure } from '#pwa/lib/storage.ts';
import { pageLocation, trackEvent } from '#pwa/lib/tag-manager.ts';
import { countImages } from './describe-photosession.ts';
import type { PhotosessionStatus } from './photosession-status.ts';
import { PHOTOSESSION_TEXTS } from './photosession-texts.ts';
import { forgetChosenPhoto, forgetPhotosession } from './saved-photosession.ts';

export interface PhotosessionOutcomeOptions {
  userId: number;
  status: PhotosessionStatus | null;
  /** The server says that the session was cancelled, here or elsewhere. */
  onCancelled: () => void;
}

/** What follows once from the end of a session: the device's record, toasts, refreshed lists. */
export function usePhotosessionOutcome({ userId, status, onCancelled }: PhotosessionOutcomeOptions): void {
  const queryClient = useQueryClient();
  const told = useRef<string | null>(null);
  const release = useRef(onCancelled);
  release.current = onCancelled;

  useEffect(() => {
    if (!status || status.status === 'processing' || told.current === status.id) return;
    told.current = status.id;
    ignoreFailure(forgetPhotosession(userId));
    for (const queryKey of [QUERY_KEYS.starBalance, QUERY_KEYS.activeGenerations, QUERY_KEYS.gallery]) {
      void queryClient.invalidateQueries({ queryKey });
    }
    logOutcome(`generation ${status.status}: ${status.id}`);
    if (status.status === 'completed') {
      ignoreFailure(forgetChosenPhoto(userId));
      announceInTitle();
      noteResult();
      return toast({
        title: PHOTOSESSION_TEXTS.completed,
        description: countImages(status.images.length),
        tone: 'success',
      });
    }
    if (status.code === 'cancelled') {
      toast({ title: status.error ?? PHOTOSESSION_TEXTS.failedHint });
      return release.current();
    }
    toast({ title: PHOTOSESSION_TEXTS.failed, description: PHOTOSESSION_TEXTS.failedHint, tone: 'danger' });
    trackEvent('error_occurred', {
      error_type: 'photosession',
      error_message: status.error ?? PHOTOSESSION_TEXTS.failedHint,
      page_location: pageLocation(),
    });
  }, [userId, status, queryClient]);
}
