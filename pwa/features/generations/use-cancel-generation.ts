import { useMutation } from '@tanstack/react-query';
import { toast } from '#pwa/components/toast.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { ApiError, describeError } from '#pwa/lib/api-error.ts';
import { cancelGeneration } from '#shared/contract/generations.ts';

export interface CancelOutcomes {
  /** Stopped, the stars are back. */
  onCancelled: () => void;
  /** It cannot be stopped any more: the result will be in the gallery. */
  onRunsOn?: () => void;
  /** Too late: it has ended already. */
  onFinished: () => void;
}

/** Asks the server to stop a generation and says truthfully what came of it. */
export function useCancelGeneration({ onCancelled, onRunsOn, onFinished }: CancelOutcomes) {
  return useMutation({
    mutationFn: (id: string) => callApi(cancelGeneration, { params: { id } }),
    onSuccess: ({ outcome, message }) => {
      toast(outcome === 'cancelled' ? { title: message } : { title: 'Генерация продолжается', description: message });
      if (outcome === 'cancelled') onCancelled();
      else onRunsOn?.();
    },
    onError: (error) => {
      toast({
        title: 'Не удалось отменить',
        description: describeError(error, 'Попробуйте ещё раз'),
        tone: 'danger',
      });
      if (error instanceof ApiError && error.code === 'generation_finished') onFinished();
    },
  });
}
