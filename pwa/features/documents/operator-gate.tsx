import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { PUBLIC_DATA_STALE_MS } from '#pwa/client/query-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { nb } from '#pwa/format.ts';
import { getOperator, type Operator } from '#shared/contract/operator.ts';

/** The operator of the service. Only the server's configuration changes it, so a prerendered answer stays valid. */
export const operatorQuery = queryOptions({
  queryKey: QUERY_KEYS.operator,
  queryFn: ({ signal }) => callApi(getOperator, undefined, { signal }),
  staleTime: PUBLIC_DATA_STALE_MS,
  meta: { persist: 'whole' },
});

/** Renders children that need the operator's data, once they are loaded. */
export function OperatorGate({ children }: { children: (operator: Operator) => ReactNode }) {
  const { data, isError, isFetching, refetch } = useQuery(operatorQuery);
  if (data) return children(data);
  if (isError) {
    return (
      <RetryNotice title="Страница загрузилась не полностью" isRetrying={isFetching} onRetry={() => void refetch()}>
        {nb('Не удалось получить данные оператора. Проверьте сеть и повторите.')}
      </RetryNotice>
    );
  }
  return (
    <div className="grid gap-3" aria-busy="true">
      <Skeleton className="h-6 max-w-[420px]" />
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
    </div>
  );
}
