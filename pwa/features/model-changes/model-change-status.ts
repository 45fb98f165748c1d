import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { callApi } from '#pwa/lib/api-client.ts';
import { ApiError } from '#pwa/lib/api-error.ts';
import { getModelChangeStatus, type startModelChange } from '#shared/contract/model-changes.ts';
import { MODEL_CHANGE_POLL_MS, POLL_INTERVAL_MS } from '#shared/rules/generation-lifecycle.ts';
import { MODEL_CHANGE_TEXTS } from './model-change-texts.ts';

export type ModelChangeStatus = z.infer<(typeof getModelChangeStatus)['answer']>;
export type StartedModelChange = z.infer<(typeof startModelChange)['answer']>;

/** A status request that takes longer counts as unanswered, so that a dead connection cannot stop the polling. */
const REQUEST_TIMEOUT_MS = 20_000;

/** The state of one change of model, asked every 3 seconds until it has ended, in hidden tabs too. */
export function modelChangeStatusQuery(requestId: string) {
  return queryOptions({
    queryKey: ['model-change', requestId],
    queryFn: ({ signal }) =>
      callApi(
        getModelChangeStatus,
        { params: { requestId } },
        { signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]) },
      ),
    staleTime: 0,
    refetchInterval: ({ state }) => pollPauseMs(state.data ?? null, state.error),
    refetchIntervalInBackground: true,
  });
}

/** Milliseconds until the next question, or false when there is nothing more to ask. */
export function pollPauseMs(data: Pick<ModelChangeStatus, 'status'> | null, error: unknown): number | false {
  if (isLost(error) || isSignedOut(error)) return false;
  // Not every 3 seconds into a server that is down; «Повторить» asks at once.
  if (error) return POLL_INTERVAL_MS;
  return data && data.status !== 'QUEUED' ? false : MODEL_CHANGE_POLL_MS;
}

/** Whether the server does not know the request or does not show it to us: asking again changes nothing. */
export function isLost(error: unknown): boolean {
  return error instanceof ApiError && [403, 404, 410].includes(error.status);
}

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

export interface ModelChangeResult {
  afterUrl: string;
  /** The photo as it was; null when neither the server nor this device tells. */
  beforeUrl: string | null;
  imageId: string | null;
  hasWatermark: boolean | null;
  /** Null while the server has not said it. */
  isModelReplaced: boolean | null;
  starsSpent: number;
  balance: number;
  /** Whole seconds it took; null while the server has not said it. */
  tookSeconds: number | null;
}

/** What the page shows of a request that it follows. */
export type GenerationView =
  | { kind: 'running'; progress: ModelChangeStatus['progress'] | null; isUnreachable: boolean }
  | { kind: 'completed'; result: ModelChangeResult }
  | { kind: 'failed'; message: string; code: string | null; isRefunded: boolean }
  /** Completed, but without a picture. */
  | { kind: 'result_missing' };

export interface GenerationKnowledge {
  /** The last answer about the status. */
  status: ModelChangeStatus | null;
  /** Why the last question had no answer. */
  error: unknown;
  /** The answer of the start, which may already be final. */
  started: StartedModelChange | null;
  /** The photo as this device shows it. */
  photoUrl: string | null;
}

/** The one place that reads the answers of the start and of the polling. */
export function viewGeneration({ status, error, started, photoUrl }: GenerationKnowledge): GenerationView {
  if (status?.status === 'FAILED' || (!status && started?.status === 'FAILED')) {
    return {
      kind: 'failed',
      message: status?.error || MODEL_CHANGE_TEXTS.failedHint,
      code: status?.code ?? null,
      isRefunded: (status ?? started)?.stars_spent === 0,
    };
  }
  if (status?.status === 'COMPLETED') {
    if (!status.result_url) return { kind: 'result_missing' };
    return { kind: 'completed', result: describeResult(status, status.result_url, photoUrl) };
  }
  // A result that came with the start is shown even when its details cannot be asked.
  if (!status && started?.status === 'COMPLETED' && started.result_url) {
    return { kind: 'completed', result: describeBareResult(started, started.result_url, photoUrl) };
  }
  if (!status && started?.status === 'COMPLETED' && error) return { kind: 'result_missing' };
  return { kind: 'running', progress: status?.progress ?? null, isUnreachable: Boolean(error) };
}

function describeResult(status: ModelChangeStatus, afterUrl: string, photoUrl: string | null): ModelChangeResult {
  const { startedAt, finishedAt } = status.progress;
  return {
    afterUrl,
    beforeUrl: status.original_url ?? photoUrl,
    imageId: status.image_id,
    hasWatermark: status.has_watermark,
    isModelReplaced: status.is_model_replaced,
    starsSpent: status.stars_spent,
    balance: status.current_star_balance,
    tookSeconds: finishedAt === null ? null : Math.round((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000),
  };
}

function describeBareResult(started: StartedModelChange, afterUrl: string, photoUrl: string | null): ModelChangeResult {
  return {
    afterUrl,
    beforeUrl: photoUrl,
    imageId: null,
    hasWatermark: null,
    isModelReplaced: null,
    starsSpent: started.stars_spent,
    balance: started.current_star_balance,
    tookSeconds: null,
  };
}
