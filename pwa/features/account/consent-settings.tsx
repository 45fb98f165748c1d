import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { callApi } from '#pwa/client/api-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { Button } from '#pwa/components/button.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { toast } from '#pwa/components/toast.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { askForConsent } from '#pwa/features/consent/document-consent.ts';
import { formatLongMoment, nb } from '#pwa/format.ts';
import { type AccountConsents, listConsents, type User, withdrawTransferConsent } from '#shared/contract/account.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

/** Read again after each change of the account's consents. */
function consentsQuery({ consentVersion, transferConsentVersion }: User) {
  return queryOptions({
    queryKey: ['consents', consentVersion, transferConsentVersion],
    queryFn: ({ signal }) => callApi(listConsents, undefined, { signal }),
    staleTime: 0,
  });
}

/** What the person has consented to, and when; the consent to the transfer abroad can be withdrawn alone. */
export function ConsentSettings({ user }: { user: User }) {
  const { data: consents, isError, isFetching, refetch } = useQuery(consentsQuery(user));
  const withdrawal = useWithdrawal();
  if (!consents) {
    if (!isError) return <Skeleton className="h-24" />;
    return <RetryNotice title="Не удалось загрузить согласия" isRetrying={isFetching} onRetry={() => void refetch()} />;
  }
  const { documents, transfer } = consents;
  return (
    <div className="grid gap-4 text-sm">
      <ConsentRow title="Документы и обработка данных" to={PATHS.personalDataConsent} consent={documents}>
        {documents.agreed ? (
          <p className="text-muted">{nb('Чтобы отозвать это согласие, удалите аккаунт ниже.')}</p>
        ) : (
          <AgreeButton isAbroad={false} />
        )}
      </ConsentRow>
      {(transfer.isNeeded || transfer.agreed) && (
        <ConsentRow title="Передача фото за границу" to={PATHS.photoTransferConsent} consent={transfer}>
          {transfer.agreed ? (
            <Button
              variant="second"
              size="sm"
              className="justify-self-start"
              loading={withdrawal.isPending}
              loadingText="Отзываем…"
              onClick={() => withdrawal.mutate()}
            >
              Отозвать
            </Button>
          ) : (
            <AgreeButton isAbroad />
          )}
        </ConsentRow>
      )}
    </div>
  );
}

interface ConsentRowProps {
  title: string;
  /** The page with the text. */
  to: string;
  consent: AccountConsents['documents'];
  children: ReactNode;
}

function ConsentRow({ title, to, consent: { agreed, inForce }, children }: ConsentRowProps) {
  const state = agreed === null ? 'Согласия нет' : `Дано ${formatLongMoment(agreed.at)}`;
  return (
    <div className="grid gap-1.5">
      <Link to={to} className="link justify-self-start font-medium">
        {title}
      </Link>
      <p>{nb(agreed && agreed.version !== inForce ? `${state}, к прежней редакции` : state)}</p>
      {children}
    </div>
  );
}

function AgreeButton({ isAbroad }: { isAbroad: boolean }) {
  return (
    <Button variant="second" size="sm" className="justify-self-start" onClick={() => askForConsent(isAbroad)}>
      Прочитать и согласиться
    </Button>
  );
}

function useWithdrawal() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => callApi(withdrawTransferConsent),
    onSuccess(user) {
      queryClient.setQueryData(QUERY_KEYS.user, user);
      toast({
        title: 'Согласие отозвано',
        description: nb('Инструменты, которые передают фото за границу, спросят его снова.'),
      });
    },
    onError: (error) => toastFailure('Не удалось отозвать согласие', error, 'Проверьте сеть и попробуйте ещё раз'),
  });
}
