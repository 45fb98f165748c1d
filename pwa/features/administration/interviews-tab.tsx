import { useMutation } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { Button } from '#pwa/components/button.tsx';
import { toast } from '#pwa/components/toast.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { formatDate } from '#pwa/format.ts';
import {
  type AdminInterviewRequest,
  grantInterviewBonus,
  listInterviewRequests,
} from '#shared/contract/administration.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { INTERVIEW_BONUS_STARS } from '#shared/rules/prices.ts';
import { formatMoment } from './administration-texts.ts';
import { askIfUnconfirmed } from './confirmation.tsx';
import { ListView } from './list-view.tsx';
import { usePagedList, useRefreshLists } from './use-paged-list.ts';

const REWARD = countStars(INTERVIEW_BONUS_STARS);

/** Requests for interviews. The reward is granted after the interview. */
export function InterviewsTab() {
  const list = usePagedList({
    queryKey: ['interviews'],
    fetchPage: (cursor, signal) => callApi(listInterviewRequests, { query: { cursor } }, { signal }),
    getItems: ({ requests }) => requests,
  });
  return (
    <ListView
      list={list}
      label="Заявки на интервью"
      emptyTitle="Заявок пока нет"
      emptyText="Приглашение видят пользователи с подтверждённым email."
    >
      {(request) => <RequestRow request={request} />}
    </ListView>
  );
}

function RequestRow({ request }: { request: AdminInterviewRequest }) {
  const refreshLists = useRefreshLists();
  const grant = useMutation({
    mutationFn: () => callApi(grantInterviewBonus, { params: { id: request.id } }),
    onSuccess: () => {
      toast({ title: `Начислено: ${REWARD}`, description: request.email, tone: 'success' });
      refreshLists();
    },
    onError: (error) => {
      if (askIfUnconfirmed(error, () => grant.mutate())) return;
      toastFailure('Ошибка', error, 'Не удалось начислить звёзды');
    },
  });
  return (
    <>
      <div className="min-w-0">
        <div className="font-semibold break-words">{request.name}</div>
        <div className="num text-muted">№ {request.accountId}</div>
      </div>
      <div className="min-w-0 break-words">{request.email}</div>
      <div className="min-w-0 break-words">{request.telegram}</div>
      <div className="num text-muted">{formatMoment(request.createdAt)}</div>
      <div className="md:justify-self-end">
        {request.grantedAt ? (
          <span className="tag ok">Начислено {formatDate(request.grantedAt)}</span>
        ) : (
          <Button
            size="sm"
            variant="second"
            loading={grant.isPending}
            loadingText="Начисляем…"
            onClick={() => grant.mutate()}
          >
            Начислить {REWARD}
          </Button>
        )}
      </div>
    </>
  );
}
