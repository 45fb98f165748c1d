import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { ApiError, describeError, isConsentRefusal } from '#pwa/client/api-error.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { refetchSoon } from '#pwa/client/refetch-soon.ts';
import { createStartIntent, isUncertain } from '#pwa/client/start-intent.ts';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import { toast } from '#pwa/components/toast.ts';
import { askAfterRefusal } from '#pwa/features/consent/document-consent.ts';
import { queueRow } from '#shared/contract/batches.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import type { GenerationTool, StartRequest } from './generation-tool.ts';

export interface Queue<Form> {
  isQueueing: boolean;
  /** Puts the order in line. Further calls are ignored while one is under way. */
  put: (request: StartRequest<Form>) => void;
}

interface Outcomes<Form> {
  onQueued: (request: StartRequest<Form>) => void;
  onRefused: (error: ApiError) => void;
}

/** «В очередь»: what is ordered while a generation of the tool runs becomes a row of the account's line. */
export function useQueue<Form, Subject, View extends GenerationView>(
  tool: GenerationTool<Form, Subject, View>,
  { onQueued, onRefused }: Outcomes<Form>,
): Queue<Form> {
  const queryClient = useQueryClient();
  const [intent] = useState(createStartIntent);
  const { isPending, mutate } = useSingleMutation({
    mutationFn: (request: StartRequest<Form>) => {
      const order = tool.toOrder(request);
      // A repeat after a lost answer names the same row, so it is made once.
      return callApi(queueRow, { body: { ...order, rowId: intent.keyFor(order) } });
    },
    onSuccess: (_answer, request) => {
      intent.settle();
      toast({ title: 'Фото в очереди', description: 'Оно начнёт создаваться само', tone: 'success' });
      onQueued(request);
    },
    onError: (error, request) => {
      const { status, code } = error instanceof ApiError ? error : { status: 0, code: null };
      if (isConsentRefusal(code)) return askAfterRefusal(queryClient, code, () => mutate(request));
      if (!isUncertain(status)) intent.settle();
      const description = describeError(error, 'Проверьте интернет и попробуйте ещё раз');
      toast({ title: 'Не удалось поставить в очередь', description, tone: 'danger' });
      if (error instanceof ApiError) onRefused(error);
    },
    // An order whose answer was lost may be in line.
    onSettled: () => void refetchSoon(queryClient, QUERY_KEYS.batches),
  });
  return { isQueueing: isPending, put: (request) => mutate(request) };
}
