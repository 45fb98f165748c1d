import { type UseMutationOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';

/**
 * A mutation that ignores further calls while one is under way: a press may come before the button is drawn as loading.
 */
export function useSingleMutation<Data, Variables = void>(
  options: Omit<UseMutationOptions<Data, Error, Variables>, 'mutationKey'>,
) {
  const queryClient = useQueryClient();
  const mutationKey = [useId()];
  const mutation = useMutation({ ...options, mutationKey });
  return {
    ...mutation,
    mutate: (...call: Parameters<typeof mutation.mutate>) => {
      if (queryClient.isMutating({ mutationKey }) === 0) mutation.mutate(...call);
    },
  };
}
