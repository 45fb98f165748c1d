import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { noteResult } from '#pwa/lib/first-result.ts';
import { logOutcome } from '#pwa/lib/log.ts';
import { announceInTitle } from '#pwa/lib/page-title.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { ignoreFailure } from '#pwa/lib/storage.ts';
import { pageLocation, trackEvent } from '#pwa/lib/tag-manager.ts';
import { isFinal } from '#shared/rules/generation-lifecycle.ts';
import type { GenerationTracker } from './generation-tracker.ts';
import { forgetGeneration, saveGeneration } from './saved-generation.ts';
import type { Tracking } from './tracking.ts';
import { VIDEO_TEXTS } from './video-texts.ts';

/** The history is asked again this long after a video is ready. */
const LIST_REFRESH_DELAY_MS = 3000;

export interface GenerationOutcomesOptions {
  userId: number;
  tracker: GenerationTracker;
  /** A video is ready and its address is known. */
  onPresent: (finished: Tracking & { videoUrl: string }) => void;
  /** Nothing to follow any more. */
  onForget: () => void;
}

/** What follows from each step of a generation: the device's record, toasts, figures, refreshed lists. */
export function useGenerationOutcomes({ userId, tracker, onPresent, onForget }: GenerationOutcomesOptions): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const finish = (finished: Tracking) => {
      logOutcome(`generation completed: ${finished.generationId}`);
      trackEvent('video_generation_complete', {
        video_id: finished.videoId,
        generation_id: finished.generationId,
        animation_type: finished.subject.form.preset,
        duration: finished.subject.form.duration,
        generation_time_seconds: Math.round((Date.now() - finished.startedAt) / 1000),
      });
      announceInTitle();
      noteResult();
      // Runs on when the page is left: the list is then fresh on return.
      setTimeout(() => queryClient.invalidateQueries({ queryKey: QUERY_KEYS.videos }), LIST_REFRESH_DELAY_MS);
      if (finished.videoUrl !== null) onPresent({ ...finished, videoUrl: finished.videoUrl });
      else toast({ title: VIDEO_TEXTS.completed, tone: 'success' });
    };

    const fail = ({ generationId, failure }: Tracking) => {
      logOutcome(`generation failed: ${generationId}`);
      reportError('video_generation', failure?.message);
      if (failure?.code !== 'cancelled') {
        return toast({ title: VIDEO_TEXTS.startFailed, description: failure?.message, tone: 'danger' });
      }
      toast({ title: failure.message });
      onForget();
    };

    return tracker.subscribe((next, previous) => {
      // Null is forgetting on purpose or leaving the page; only the first clears the record, and does it itself.
      if (!next) return;
      ignoreFailure(isFinal(next.status) ? forgetGeneration(userId) : saveGeneration(userId, next));
      const isSame = next.generationId === previous?.generationId;
      if (isSame && next.failuresInARow === 1 && previous.failuresInARow === 0 && isNetworkFailure(next)) {
        toast({ title: VIDEO_TEXTS.pollFailed, description: 'Нет ответа от сервера, повторяем', tone: 'danger' });
      }
      if (isSame && next.step === previous.step) return;
      if (isFinal(next.status)) void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.starBalance });
      if (next.step === 'completed') finish(next);
      if (next.step === 'failed') fail(next);
      if (next.step === 'timeout') toast({ title: VIDEO_TEXTS.tooLong });
      if (next.step === 'error') {
        toast({
          title: VIDEO_TEXTS.serverUnreachable,
          description: VIDEO_TEXTS.serverUnreachableHint,
          tone: 'danger',
        });
        reportError('video_status', next.errors.at(-1));
      }
      if (next.step === 'critical_error') reportError('video_status', next.errors.at(-1));
    });
  }, [userId, tracker, queryClient, onPresent, onForget]);
}

function isNetworkFailure({ errors }: Tracking): boolean {
  return errors.at(-1) === VIDEO_TEXTS.pollFailed;
}

function reportError(type: string, message: string | undefined): void {
  trackEvent('error_occurred', { error_type: type, error_message: message, page_location: pageLocation() });
}
