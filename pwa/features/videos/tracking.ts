import type { z } from 'zod';
import type { getVideoStatus } from '#shared/contract/videos.ts';
import {
  GENERATION_FAILURES,
  GENERATION_STATUSES,
  type GenerationStatus,
  isFinal,
  POLL_MAX_FAILURES,
  POLL_TIMEOUT_MS,
  pollDelayMs,
} from '#shared/rules/generation-lifecycle.ts';
import type { VideoSubject } from './video-subject.ts';

/**
 * Where the page stands with a generation. The last three are the page's own: the server was asked for too
 * long, could not be reached, or answered that it does not know the generation.
 */
export const TRACKING_STEPS = [...GENERATION_STATUSES, 'timeout', 'error', 'critical_error'] as const;
export type TrackingStep = (typeof TRACKING_STEPS)[number];

export type VideoStatusAnswer = z.infer<(typeof getVideoStatus)['answer']>;

/** One generation as the page follows it. Moments are milliseconds since 1970 by this device's clock. */
export interface Tracking {
  generationId: string;
  /** What is being made, and from what; the polling does not look at it. */
  subject: VideoSubject;
  step: TrackingStep;
  /** The server's last word, kept under a step of the page's own. */
  status: GenerationStatus;
  startedAt: number;
  /** From when the limit of the polling counts: since this page follows it, or the last «Проверить ещё раз». */
  watchedSince: number;
  pollCount: number;
  lastPollAt: number | null;
  /** When to ask next; null while nothing is asked. */
  nextPollAt: number | null;
  failuresInARow: number;
  /** What went wrong since the last answer, oldest first. */
  errors: string[];
  isOffline: boolean;
  progress: VideoStatusAnswer['progress'] | null;
  videoId: string | null;
  videoUrl: string | null;
  failure: { message: string; code: string | null } | null;
}

/** lost: the server does not know this generation or does not show it to us; asking again changes nothing. */
export type PollFailureKind = 'network' | 'unavailable' | 'server' | 'lost';
export interface PollFailure {
  kind: PollFailureKind;
  message: string;
}

export type TrackingEvent =
  | { type: 'answered'; at: number; answer: VideoStatusAnswer }
  | { type: 'poll_failed'; at: number; failure: PollFailure }
  /** The person asks, or the tab comes back: ask now, whatever the pause was. */
  | { type: 'check_requested'; at: number }
  | { type: 'went_offline' }
  | { type: 'came_online'; at: number };

/** A generation that has just been started or found; the first question is due at once. */
export function beginTracking(
  generation: Pick<Tracking, 'generationId' | 'startedAt' | 'subject'> & Partial<Tracking>,
  at: number,
): Tracking {
  return {
    status: 'pending',
    step: 'pending',
    watchedSince: at,
    pollCount: 0,
    lastPollAt: null,
    errors: [],
    progress: null,
    videoId: null,
    videoUrl: null,
    failure: null,
    ...generation,
    isOffline: false,
    failuresInARow: 0,
    nextPollAt: at,
  };
}

/** The whole behaviour of the polling, without clocks or network. */
export function advanceTracking(tracking: Tracking, event: TrackingEvent): Tracking {
  if (isFinal(tracking.status)) return tracking;
  switch (event.type) {
    case 'answered':
      return acceptAnswer(tracking, event);
    case 'poll_failed':
      return acceptFailure(tracking, event);
    case 'check_requested':
      return {
        ...tracking,
        step: tracking.status,
        watchedSince: isStalled(tracking.step) ? event.at : tracking.watchedSince,
        failuresInARow: 0,
        errors: [],
        nextPollAt: tracking.isOffline ? null : event.at,
      };
    case 'went_offline':
      return { ...tracking, isOffline: true, nextPollAt: null };
    case 'came_online':
      if (!tracking.isOffline) return tracking;
      return { ...tracking, isOffline: false, nextPollAt: isStalled(tracking.step) ? null : event.at };
  }
}

function acceptAnswer(tracking: Tracking, { at, answer }: { at: number; answer: VideoStatusAnswer }): Tracking {
  const answered: Tracking = {
    ...tracking,
    status: answer.status,
    step: answer.status,
    pollCount: tracking.pollCount + 1,
    lastPollAt: at,
    failuresInARow: 0,
    errors: [],
    progress: answer.progress,
    videoId: answer.videoId,
    videoUrl: answer.videoUrl,
    nextPollAt: null,
  };
  if (answer.status === 'completed') return answered;
  if (answer.status === 'failed') {
    const message = answer.error ?? answer.message ?? GENERATION_FAILURES.engine_error;
    return { ...answered, failure: { message, code: answer.code } };
  }
  if (at - tracking.watchedSince >= POLL_TIMEOUT_MS) return { ...answered, step: 'timeout' };
  return { ...answered, nextPollAt: at + pollDelayMs(0) };
}

function acceptFailure(tracking: Tracking, { at, failure }: { at: number; failure: PollFailure }): Tracking {
  const failuresInARow = tracking.failuresInARow + 1;
  const failed: Tracking = {
    ...tracking,
    pollCount: tracking.pollCount + 1,
    lastPollAt: at,
    failuresInARow,
    errors: [...tracking.errors, failure.message],
    nextPollAt: null,
  };
  if (failure.kind === 'lost') return { ...failed, step: 'critical_error' };
  if (failuresInARow >= POLL_MAX_FAILURES) return { ...failed, step: 'error' };
  if (at - tracking.watchedSince >= POLL_TIMEOUT_MS) return { ...failed, step: 'timeout' };
  return { ...failed, nextPollAt: tracking.isOffline ? null : at + pollDelayMs(failuresInARow) };
}

/** Whether the page has stopped asking although the generation may still run. */
export function isStalled(step: TrackingStep): step is 'timeout' | 'error' | 'critical_error' {
  return step === 'timeout' || step === 'error' || step === 'critical_error';
}

/** Whether the generation may still be running as far as the page knows. */
export function isRunning(tracking: Tracking): boolean {
  return !isFinal(tracking.status) && tracking.step !== 'critical_error';
}
