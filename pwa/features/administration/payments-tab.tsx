import { useState } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { Button } from '#pwa/components/button.tsx';
import { SegmentedControl } from '#pwa/components/segmented-control.tsx';
import { formatAmount } from '#pwa/format.ts';
import { type AdminPayment, listPayments } from '#shared/contract/administration.ts';
import { namePaymentProvider } from '#shared/rules/payment-providers.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { getRefundableRub } from './administration-forms.ts';
import { describeCancellation, formatMoment, PAYMENT_STATUSES, REFUND_STATUSES } from './administration-texts.ts';
import { ListView } from './list-view.tsx';
import { RefundDialog } from './refund-dialog.tsx';
import { usePagedList } from './use-paged-list.ts';

type Filter = 'all' | AdminPayment['status'];
const FILTERS: ReadonlyArray<{ value: Filter; label: string }> = [
  { value: 'all', label: 'Все' },
  { value: 'succeeded', label: 'Оплачены' },
  { value: 'pending', label: 'Ожидают' },
  { value: 'canceled', label: 'Отменены' },
];

export interface PaymentsTabProps {
  /** Shows only the payments of this account; null shows those of everybody. */
  accountId: number | null;
  onShowEverybody: () => void;
}

/** The payments, with refunds. */
export function PaymentsTab({ accountId, onShowEverybody }: PaymentsTabProps) {
  const [filter, setFilter] = useState<Filter>('all');
  const [refunded, setRefunded] = useState<AdminPayment | null>(null);
  const list = usePagedList({
    queryKey: ['payments', filter, accountId],
    fetchPage: (cursor, signal) => {
      const query = { cursor, ...(filter !== 'all' && { status: filter }), ...(accountId && { accountId }) };
      return callApi(listPayments, { query }, { signal });
    },
    getItems: ({ payments }) => payments,
  });
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 mb-4">
        <SegmentedControl
          label="Состояние платежей"
          value={filter}
          onChange={setFilter}
          options={FILTERS}
          className="max-md:w-full md:[&>*]:px-4"
        />
        {accountId && (
          <Button variant="quiet" size="sm" onClick={onShowEverybody}>
            Только пользователь {accountId} — показать всех
          </Button>
        )}
      </div>
      <ListView list={list} label="Платежи" emptyTitle="Платежей нет" emptyText="Здесь появятся покупки звёзд.">
        {(payment) => <PaymentRow payment={payment} onRefund={() => setRefunded(payment)} />}
      </ListView>
      {refunded && <RefundDialog payment={refunded} onClose={() => setRefunded(null)} />}
    </>
  );
}

function PaymentRow({ payment, onRefund }: { payment: AdminPayment; onRefund: () => void }) {
  const { account, status, stars, packageName, amountRub, currency, isTest, refunds } = payment;
  const canRefund = status === 'succeeded' && getRefundableRub(payment) > 0;
  return (
    <>
      <div className="min-w-0">
        <div className="num">{formatMoment(payment.createdAt)}</div>
        <div className="text-muted truncate" title={payment.providerPaymentId ?? payment.id}>
          {namePaymentProvider(payment.provider)} ·{' '}
          <span className="num">{(payment.providerPaymentId ?? payment.id).slice(0, 13)}</span>
        </div>
      </div>
      <div className="min-w-0">
        <div className="truncate" title={account.email}>
          {account.email}
        </div>
        <div className="num text-muted">№ {account.id}</div>
      </div>
      <div className="min-w-0">
        <div className="num font-semibold">{formatAmount(amountRub, currency)}</div>
        <div className="text-muted truncate">
          {packageName}, {countStars(stars)}
        </div>
      </div>
      <div className="min-w-0">
        <div className="flex flex-wrap gap-1">
          <span className={`tag ${status === 'succeeded' ? 'ok' : status === 'pending' ? 'star-t' : ''}`}>
            {PAYMENT_STATUSES[status]}
          </span>
          {isTest && <span className="tag line">Тестовый</span>}
        </div>
        {payment.cancellationReason && (
          <div className="text-muted mt-1">{describeCancellation(payment.provider, payment.cancellationReason)}</div>
        )}
        {refunds.map((refund) => (
          <div key={refund.id} className="num text-muted mt-1" title={refund.reason}>
            {`${REFUND_STATUSES[refund.status]} ${formatAmount(refund.amountRub, currency)}, снято звёзд: ${refund.starsTaken} из ${refund.stars}`}
          </div>
        ))}
      </div>
      <div className="md:justify-self-end">
        {canRefund && (
          <Button variant="second" size="sm" onClick={onRefund}>
            Вернуть деньги
          </Button>
        )}
      </div>
    </>
  );
}
