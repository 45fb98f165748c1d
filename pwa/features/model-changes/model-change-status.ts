import type { z } from 'zod';
import { statusQuery } from '#pwa/features/generations/status-query.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { getModelChangeStatus, type startModelChange } from '#shared/contract/model-changes.ts';
import { MODEL_CHANGE_POLL_MS } from '#shared/rules/generation-lifecycle.ts';
import { MODEL_CHANGE_TEXTS } from './model-change-texts.ts';

export type ModelChangeStatus = z.infer<(typeof getModelChangeStatus)['answer']>;
export type StartedModelChange = z.infer<(typeof startModelChange)['answer']>;

/** The state of one change of model, asked every 3 seconds. */
export function modelChangeStatusQuery(requestId: string) {
  return statusQuery({
    queryKey: [...QUERY_KEYS.modelChange, requestId],
    ask: (signal) => callApi(getModelChangeStatus, { params: { requestId } }, { signal }),
    isRunning: ({ status }) => status === 'QUEUED',
    pauseMs: MODEL_CHANGE_POLL_MS,
  });
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
