import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { ApiError, describeError } from '#pwa/client/api-error.ts';
import { Button } from '#pwa/components/button.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { toast } from '#pwa/components/toast.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { formatRubles, formatTime, nb } from '#pwa/format.ts';
import { dismissInvoice, type Invoice, listUnpaidInvoices } from '#shared/contract/payments.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { PayInvoiceLink } from './pay-invoice-link.tsx';
import { useRememberPlace } from './use-payment-return.ts';

export const unpaidInvoicesQuery = queryOptions({
  queryKey: ['unpaid-invoices'],
  queryFn: async ({ signal }) => (await callApi(listUnpaidInvoices, undefined, { signal })).invoices,
  // An invoice may have been paid in another window or have expired.
  staleTime: 0,
  refetchOnWindowFocus: 'always',
});

export interface UnpaidInvoicesProps {
  /** False while the page itself does not load: its own notice says enough. */
  tellsFailure: boolean;
}

/** Unpaid invoices, to be paid now or dismissed. Nothing when there are none. */
export function UnpaidInvoices({ tellsFailure }: UnpaidInvoicesProps) {
  const { data: invoices, isError, error, refetch } = useQuery(unpaidInvoicesQuery);
  if (!invoices) {
    if (!isError || !tellsFailure) return null;
    const title = describeError(error, 'Не удалось загрузить неоплаченные счета');
    return <RetryNotice className="mb-6" tone="warning" title={title} onRetry={() => void refetch()} />;
  }
  if (invoices.length === 0) return null;
  return (
    <section className="mb-6" aria-labelledby="unpaid-invoices">
      <h2 className="sec mb-2" id="unpaid-invoices">
        Неоплаченные счета
      </h2>
      <ul className="panel divide-y divide-line">
        {invoices.map((invoice) => (
          <InvoiceRow key={invoice.id} invoice={invoice} />
        ))}
      </ul>
    </section>
  );
}

function InvoiceRow({ invoice }: { invoice: Invoice }) {
  const rememberPlace = useRememberPlace();
  const dismissal = useDismissal();
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-4 md:px-5 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <p className="font-semibold break-words">
          {nb(`Пакет «${invoice.packageName}»: ${countStars(invoice.stars)}`)}
        </p>
        <p className="num text-sm text-muted">{describeInvoice(invoice)}</p>
      </div>
      <div className="flex gap-2">
        <Button
          variant="quiet"
          size="sm"
          loading={dismissal.isPending}
          loadingText="Отменяем…"
          onClick={() => dismissal.mutate(invoice.id)}
        >
          Отменить
        </Button>
        <PayInvoiceLink invoice={invoice} variant="second" size="sm" onClick={() => rememberPlace(invoice.id)}>
          Оплатить
        </PayInvoiceLink>
      </div>
    </li>
  );
}

/** «1 990 ₽, оплатить можно до 15:40» */
export function describeInvoice({ amountRub, payableUntil }: Pick<Invoice, 'amountRub' | 'payableUntil'>): string {
  const until = payableUntil ? `, оплатить можно до ${formatTime(payableUntil)}` : '';
  return nb(formatRubles(amountRub) + until);
}

function useDismissal() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callApi(dismissInvoice, { params: { id } }),
    onSuccess: () =>
      toast({
        title: 'Счёт отменён',
        description: nb('Если вы уже платите по нему, звёзды всё равно придут на баланс.'),
      }),
    onError: (error) =>
      toastFailure('Счёт не отменён', error, 'Не получилось связаться с сервером. Попробуйте ещё раз'),
    onSettled: (_answer, error) => {
      const isPaid = error instanceof ApiError && error.code === 'invoice_paid';
      // The invoice has been paid: the balance and what it unlocks have changed.
      return queryClient.invalidateQueries(isPaid ? {} : { queryKey: unpaidInvoicesQuery.queryKey });
    },
  });
}
