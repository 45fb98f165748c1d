import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { ApiError, describeError } from '#pwa/client/api-error.ts';
import { createStartIntent, isUncertain } from '#pwa/client/start-intent.ts';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { Field } from '#pwa/components/field.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { toast } from '#pwa/components/toast.ts';
import { type AdminUser, correctStars, listUserStars } from '#shared/contract/administration.ts';
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { readCorrectionForm } from './administration-forms.ts';
import { describeStarEntry, formatDelta, formatMoment } from './administration-texts.ts';
import { askIfUnconfirmed } from './confirmation.tsx';
import { ADMINISTRATION_KEY, useRefreshLists } from './use-paged-list.ts';

export interface UserDialogProps {
  user: AdminUser;
  onClose: () => void;
  onShowPayments: (accountId: number) => void;
}

/** The stars of one account: a manual correction and the newest rows of the ledger. */
export function UserDialog({ user, onClose, onShowPayments }: UserDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Звёзды пользователя"
      description={`${user.email}, №\u00a0${user.id}. Баланс: ${countStars(user.balance)}.`}
      footer={
        <>
          <Button variant="second" onClick={() => onShowPayments(user.id)}>
            Платежи
          </Button>
          <Button variant="second" onClick={onClose}>
            Закрыть
          </Button>
        </>
      }
    >
      <CorrectionForm user={user} />
      <StarHistory accountId={user.id} />
    </Dialog>
  );
}

function CorrectionForm({ user }: { user: AdminUser }) {
  const [typed, setTyped] = useState({ delta: '', reason: '' });
  const [faults, setFaults] = useState<{ delta?: string; reason?: string }>({});
  const [intent] = useState(createStartIntent);
  const refreshLists = useRefreshLists();
  const correction = useMutation({
    mutationFn: (body: { delta: number; reason: string }) =>
      callApi(
        correctStars,
        { params: { id: user.id }, body },
        { headers: { [IDEMPOTENCY_KEY_HEADER]: intent.keyFor(body) } },
      ),
    onSuccess: ({ balance }) => {
      intent.settle();
      setTyped({ delta: '', reason: '' });
      toast({ title: 'Баланс изменён', description: `Стало: ${countStars(balance)}`, tone: 'success' });
      refreshLists();
    },
    onError: (error, body) => {
      if (askIfUnconfirmed(error, () => correction.mutate(body))) return;
      if (!(error instanceof ApiError) || !isUncertain(error.status)) intent.settle();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readCorrectionForm(typed, user.balance);
    setFaults(read.faults);
    if (read.body) correction.mutate(read.body);
  };
  return (
    <form className="grid gap-3" onSubmit={submit} noValidate>
      <div className="grid items-start gap-3 md:grid-cols-[140px_1fr]">
        <Field
          label="Звёзды"
          inputMode="text"
          autoComplete="off"
          placeholder="+5 или −5"
          value={typed.delta}
          onChange={(event) => setTyped({ ...typed, delta: event.target.value })}
          error={faults.delta}
        />
        <Field
          label="Причина"
          autoComplete="off"
          maxLength={300}
          value={typed.reason}
          onChange={(event) => setTyped({ ...typed, reason: event.target.value })}
          error={faults.reason}
          hint={faults.reason ? undefined : 'Увидит и\u00a0пользователь, в\u00a0истории звёзд'}
        />
      </div>
      {correction.error && (
        <Notice
          tone="danger"
          title={describeError(correction.error, 'Не удалось изменить баланс. Попробуйте ещё раз')}
        />
      )}
      <Button type="submit" className="md:justify-self-start" loading={correction.isPending} loadingText="Меняем…">
        Изменить баланс
      </Button>
    </form>
  );
}

function StarHistory({ accountId }: { accountId: number }) {
  const { data, error } = useQuery({
    queryKey: [ADMINISTRATION_KEY, 'stars', accountId],
    queryFn: async ({ signal }) => (await callApi(listUserStars, { params: { id: accountId } }, { signal })).entries,
    staleTime: 0,
  });
  return (
    <section className="mt-6" aria-label="История звёзд">
      <h3 className="sec mb-1">История звёзд</h3>
      {error && <Notice tone="danger" title={describeError(error, 'Не удалось загрузить историю')} />}
      {!data && !error && <Skeleton className="h-32" />}
      {data?.length === 0 && <p className="text-sm text-muted">Движений ещё не было.</p>}
      <ul className="divide-y divide-line text-sm">
        {data?.map(({ id, kind, delta, note, createdAt }) => (
          <li key={id} className="py-2 flex gap-4 items-baseline">
            <span className="min-w-0 flex-1">
              {describeStarEntry({ kind, delta })}
              {note && <span className="text-muted">: {note}</span>}
              <span className="block num text-xs text-muted">{formatMoment(createdAt)}</span>
            </span>
            <span className="num font-semibold">{formatDelta(delta)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
