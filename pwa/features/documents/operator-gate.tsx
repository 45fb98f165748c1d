import type { ReactNode } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { nb } from '#pwa/lib/format.ts';
import type { Operator } from '#shared/contract/operator.ts';
import { useOperator } from './operator-query.ts';

/** Shows what needs the operator's data, as soon as it is there. */
export function OperatorGate({ children }: { children: (operator: Operator) => ReactNode }) {
  const { data, isError, isFetching, refetch } = useOperator();
  if (data) return children(data);
  if (isError) {
    return (
      <Notice
        tone="danger"
        title="Страница загрузилась не полностью"
        action={
          <Button variant="second" size="sm" loading={isFetching} onClick={() => void refetch()}>
            Повторить
          </Button>
        }
      >
        {nb('Не удалось получить данные оператора. Проверьте сеть и повторите.')}
      </Notice>
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
