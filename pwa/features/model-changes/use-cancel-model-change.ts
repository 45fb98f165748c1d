import { useMutation } from '@tanstack/react-query';
import { toast } from '#pwa/components/toast.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { ApiError, describeError } from '#pwa/lib/api-error.ts';
import { cancelGeneration } from '#shared/contract/generations.ts';

export interface CancelOutcomes {
  /** No longer followed: stopped, or running on towards the gallery. */
  onReleased: () => void;
  /** Too late: it has ended already. */
  onFinished: () => void;
}

/** Asks the server to stop a change of model, says truthfully what came of it and ends the tracking. */
export function useCancelModelChange({ onReleased, onFinished }: CancelOutcomes) {
  return useMutation({
    mutationFn: (id: string) => callApi(cancelGeneration, { params: { id } }),
    onSuccess: ({ outcome, message }) => {
      toast(outcome === 'cancelled' ? { title: message } : { title: 'Генерация продолжается', description: message });
      onReleased();
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
