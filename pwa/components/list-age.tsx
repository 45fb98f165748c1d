import type { KnownList } from '#pwa/client/use-known-list.ts';
import { useOnline } from '#pwa/device/use-online.ts';
import { formatMoment, nb } from '#pwa/format.ts';
import { Notice } from './notice.tsx';
import { RetryNotice } from './retry-notice.tsx';

export interface ListAgeProps {
  list: Pick<KnownList, 'isOld' | 'isFetching' | 'toldAt'>;
  onRefresh: () => void;
}

/** Says above a list that it is shown from memory: there is no network, or it could not be fetched again. */
export function ListAge({ list, onRefresh }: ListAgeProps) {
  const isOnline = useOnline();
  const age = nb(`Показаны данные от ${formatMoment(list.toldAt)}.`);
  if (!isOnline) {
    return (
      <Notice tone="info" title="Нет связи" className="mb-5">
        {age}
      </Notice>
    );
  }
  if (!list.isOld) return null;
  return (
    <RetryNotice
      tone="warning"
      title="Список мог устареть"
      className="mb-5"
      isRetrying={list.isFetching}
      onRetry={onRefresh}
    >
      {age}
    </RetryNotice>
  );
}
