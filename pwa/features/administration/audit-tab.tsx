import { callApi } from '#pwa/client/api-client.ts';
import { listAuditEntries } from '#shared/contract/administration.ts';
import { describeAction, describeAuthor, describeDetails, formatMoment } from './administration-texts.ts';
import { ListView } from './list-view.tsx';
import { usePagedList } from './use-paged-list.ts';

/** The log of administrators' actions. It is read-only. */
export function AuditTab() {
  const list = usePagedList({
    queryKey: ['audit'],
    fetchPage: (cursor, signal) => callApi(listAuditEntries, { query: { cursor } }, { signal }),
    getItems: ({ entries }) => entries,
  });
  return (
    <ListView
      list={list}
      label="Журнал"
      emptyTitle="Журнал пуст"
      emptyText="Здесь появится каждое действие администратора."
    >
      {({ admin, action, accountId, details, createdAt }) => (
        <>
          <div className="min-w-0">
            <div className="num">{formatMoment(createdAt)}</div>
            <div className="text-muted truncate" title={admin ?? undefined}>
              {describeAuthor({ admin, action })}
            </div>
          </div>
          <div className="min-w-0">
            <div className="font-semibold">{describeAction(action)}</div>
            {accountId !== null && <div className="num text-muted">Пользователь № {accountId}</div>}
          </div>
          <div className="num min-w-0 break-words text-muted md:col-span-2">{describeDetails(details)}</div>
        </>
      )}
    </ListView>
  );
}
