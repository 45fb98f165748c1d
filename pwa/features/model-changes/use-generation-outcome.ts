import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { hasConnection } from '#pwa/lib/connection.ts';
import { noteResult } from '#pwa/lib/first-result.ts';
import { logOutcome } from '#pwa/lib/log.ts';
import { announceInTitle } from '#pwa/lib/page-title.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { ignoreFailure } from '#pwa/lib/storage.ts';
import { pageLocation, trackEvent } from '#pwa/lib/tag-manager.ts';
import type { GenerationView } from './model-change-status.ts';
import { MODEL_CHANGE_TEXTS } from './model-change-texts.ts';
import { forgetDraft, forgetRequest } from './saved-model-change.ts';

export interface GenerationOutcomeOptions {
  userId: number;
  requestId: string | null;
  /** Whether the choices kept on the device are those of this request. */
  isOfDraft: boolean;
  view: GenerationView | null;
  /** The server says that the request was cancelled, here or elsewhere. */
  onCancelled: () => void;
}

/** What follows once from each end of a generation: the device's record, toasts, refreshed lists. */
export function useGenerationOutcome({
  userId,
  requestId,
  isOfDraft,
  view,
  onCancelled,
}: GenerationOutcomeOptions): void {
  const queryClient = useQueryClient();
  const told = useRef<string | null>(null);
  const latest = useRef({ view, isOfDraft, onCancelled });
  latest.current = { view, isOfDraft, onCancelled };
  const problem = view?.kind === 'running' && view.isUnreachable;
  const kind = view?.kind ?? null;

  useEffect(() => {
    if (!problem || !hasConnection()) return;
    toast({ title: MODEL_CHANGE_TEXTS.pollFailed, description: MODEL_CHANGE_TEXTS.pollFailedHint, tone: 'danger' });
  }, [problem]);

  useEffect(() => {
    const { view: ended, onCancelled: release } = latest.current;
    if (requestId === null || !ended || ended.kind === 'running' || kind === 'running') return;
    if (told.current === requestId) return;
    told.current = requestId;
    ignoreFailure(forgetRequest(userId));
    for (const queryKey of [QUERY_KEYS.starBalance, QUERY_KEYS.activeGenerations, QUERY_KEYS.gallery]) {
      void queryClient.invalidateQueries({ queryKey });
    }
    logOutcome(`generation ${ended.kind}: ${requestId}`);
    if (ended.kind === 'completed') {
      if (latest.current.isOfDraft) ignoreFailure(forgetDraft(userId));
      announceInTitle();
      noteResult();
      return;
    }
    if (ended.kind === 'failed' && ended.code === 'cancelled') {
      toast({ title: ended.message });
      return release();
    }
    const message = ended.kind === 'failed' ? ended.message : MODEL_CHANGE_TEXTS.resultMissing;
    const title = ended.kind === 'failed' ? MODEL_CHANGE_TEXTS.failed : MODEL_CHANGE_TEXTS.startFailed;
    toast({ title, description: message, tone: 'danger' });
    trackEvent('error_occurred', {
      error_type: 'model_change',
      error_message: message,
      page_location: pageLocation(),
    });
  }, [userId, requestId, kind, queryClient]);
}
