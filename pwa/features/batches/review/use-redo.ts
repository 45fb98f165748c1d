import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { ApiError, isConsentRefusal } from '#pwa/client/api-error.ts';
import { createStartIntent, isUncertain, type StartIntent } from '#pwa/client/start-intent.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { noteBatch, refetchBatch } from '#pwa/features/batches/batch-queries.ts';
import { afterConsent, askAfterRefusal } from '#pwa/features/consent/document-consent.ts';
import { noteRefusal, useIsAbroad } from '#pwa/features/tools/tool-offer.ts';
import type { Batch, BatchRow } from '#shared/contract/batches.ts';
import { redoRow } from '#shared/contract/batches.ts';
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';
import { untilPagesKnow } from './review-outbox.ts';

/** By row, while the outcome is not certain. They outlive the review: it may be closed and opened again meanwhile. */
const intents = new Map<string, StartIntent>();

/** What making a row again costs, in stars. */
export function priceOfRedo({ reroll, stars }: Pick<BatchRow, 'reroll' | 'stars'>): number {
  return reroll === 'offered' ? 0 : stars;
}

/** Puts rows in line again at the price that is shown. Several may be on their way to the server. */
export function useRedo({ id: batchId, set: { kind } }: Pick<Batch, 'id' | 'set'>) {
  const queryClient = useQueryClient();
  const isAbroad = useIsAbroad(kind);
  /** Rows whose redo the server has not answered yet. */
  const [leavingIds, setLeavingIds] = useState<ReadonlySet<string>>(new Set());

  const send = async (row: BatchRow) => {
    const intent = intents.get(row.id) ?? createStartIntent();
    intents.set(row.id, intent);
    const body = { agreedStars: priceOfRedo(row) };
    setLeavingIds((ids) => new Set([...ids, row.id]));
    try {
      const answer = await callApi(
        redoRow,
        { params: { id: batchId, row: row.id }, body },
        { headers: { [IDEMPOTENCY_KEY_HEADER]: intent.keyFor(body) } },
      );
      intents.delete(row.id);
      await noteBatch(queryClient, batchId, { rows: [answer] });
      await untilPagesKnow();
    } catch (error) {
      const code = error instanceof ApiError ? error.code : null;
      if (error instanceof ApiError && !isUncertain(error.status)) intents.delete(row.id);
      if (error instanceof ApiError) noteRefusal(queryClient, kind, error);
      refetchBatch(queryClient, batchId);
      if (isConsentRefusal(code)) askAfterRefusal(queryClient, code, () => void send(row));
      else toastFailure('Не удалось начать переделку', error, 'Результат остался в просмотре. Попробуйте ещё раз');
    } finally {
      setLeavingIds((ids) => new Set([...ids].filter((id) => id !== row.id)));
    }
  };
  return { leavingIds, redo: (row: BatchRow) => afterConsent(queryClient, isAbroad, () => void send(row)) };
}
