import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { ApiError } from '#pwa/client/api-error.ts';
import { dropPush } from '#pwa/client/push.ts';
import { toast } from '#pwa/components/toast.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { listPushDevices, type PushDevice, removePushDevice } from '#shared/contract/push-devices.ts';

/** The browsers of the account that get notifications. Always fetched again. */
export const devicesQuery = queryOptions({
  queryKey: ['push-devices'],
  queryFn: async ({ signal }) => (await callApi(listPushDevices, undefined, { signal })).devices,
  staleTime: 0,
});

/**
 * Ends the notifications of one browser of the account. Null stands for this browser when the server's list does not
 * contain it.
 */
export function useRemoveDevice() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: removeDevice,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: devicesQuery.queryKey });
      toast({ title: 'Уведомления выключены', tone: 'success' });
    },
    onError: (error) => toastFailure('Не удалось выключить уведомления', error, 'Пожалуйста, попробуйте позже'),
  });
}

/** Removes the device at the server and, for this browser, its subscription. Throws ApiError. */
export async function removeDevice(device: PushDevice | null): Promise<void> {
  if (device) {
    await callApi(removePushDevice, { params: { id: device.id } }).catch((error: unknown) => {
      // The device is already gone, as wanted.
      if (!(error instanceof ApiError && error.code === 'push_device_not_found')) throw error;
    });
  }
  if (!device || device.isCurrent) await dropPush();
}
