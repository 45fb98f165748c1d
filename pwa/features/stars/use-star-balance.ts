import { useQuery } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { ApiError, describeError } from '#pwa/client/api-error.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { toast } from '#pwa/components/toast.ts';
import { hasConnection, probeConnection } from '#pwa/device/connection.ts';
import { useSessionMarker } from '#pwa/features/session/use-session-marker.ts';
import { getStarBalance } from '#shared/contract/stars.ts';

const REFETCH_MS = 5 * 60_000;
const MESSAGES = { empty: 'Пустой ответ от сервера', invalid: 'Некорректный ответ от сервера' };

export interface StarBalance {
  /** Stars that can be spent now; undefined until known. */
  balance: number | undefined;
  isLoading: boolean;
  /** The balance could not be loaded; a toast has said so. */
  isFailed: boolean;
}

/** The star balance of the signed-in account. Fetched again every 5 minutes and when the window gets the focus. */
export function useStarBalance(): StarBalance {
  const marker = useSessionMarker();
  const query = useQuery({
    queryKey: QUERY_KEYS.starBalance,
    queryFn: fetchBalance,
    enabled: marker !== null,
    staleTime: 0,
    // Many places show the balance, so only its age and the window's focus refetch it.
    refetchOnMount: false,
    refetchInterval: REFETCH_MS,
    refetchOnWindowFocus: true,
  });
  return {
    balance: query.data,
    isLoading: query.isPending && marker !== null,
    isFailed: query.isError,
  };
}

/**
 * Fetches the balance. Shows a failure itself, so that the places that show the balance need not. Throws like
 * `callApi`.
 */
export async function fetchBalance({ signal }: { signal: AbortSignal }): Promise<number> {
  try {
    return (await callApi(getStarBalance, undefined, { signal, messages: MESSAGES })).balance;
  } catch (error) {
    if (error instanceof ApiError && error.status !== 401) void showFailureToast(error);
    throw error;
  }
}

/** Without a connection the status bar says enough. */
async function showFailureToast(error: ApiError): Promise<void> {
  if (error.status === 0) await probeConnection();
  if (!hasConnection()) return;
  // Not by toastFailure: it would be loaded with the schemas, as this file is, and pages of visitors have it.
  toast({
    title: 'Не удалось получить баланс звезд',
    description: describeError(error, 'Обновите страницу через минуту'),
    tone: 'danger',
  });
}
