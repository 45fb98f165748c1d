import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { describeError } from '#pwa/client/api-error.ts';
import { createStartIntent } from '#pwa/client/start-intent.ts';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { Field } from '#pwa/components/field.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { formatAmount } from '#pwa/format.ts';
import { type AdminPayment, refundPayment } from '#shared/contract/administration.ts';
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';
import { countStars } from '#shared/rules/plurals.ts';
import {
  countBoughtStars,
  getRefundableRub,
  isRefundDecided,
  parseRoubles,
  readRefundForm,
} from './administration-forms.ts';
import { describeTakenStars } from './administration-texts.ts';
import { askIfUnconfirmed } from './confirmation.tsx';
import { useRefreshLists } from './use-paged-list.ts';

/** Refunds a payment, whole or in part. Says before and after what happens to the stars. */
export function RefundDialog({ payment, onClose }: { payment: AdminPayment; onClose: () => void }) {
  const formId = useId();
  const refund = useRefund(payment);
  if (refund.data) {
    const { status, amountRub } = refund.data;
    return (
      <Dialog
        open
        onOpenChange={onClose}
        size="sm"
        title={status === 'succeeded' ? 'Деньги возвращены' : 'Возврат отправлен'}
        footer={<Button onClick={onClose}>Готово</Button>}
      >
        <p role="status">
          {status === 'succeeded'
            ? `Покупателю вернулось ${formatAmount(amountRub, payment.currency)}. `
            : `${formatAmount(amountRub, payment.currency)} вернутся, когда платёжная система подтвердит возврат. `}
          {describeTakenStars(refund.data)}
        </p>
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      canClose={!refund.isPending}
      size="sm"
      title="Возврат денег"
      description={`${payment.account.email}, «${payment.packageName}», ${formatAmount(payment.amountRub, payment.currency)}`}
      footer={
        <>
          <Button variant="second" onClick={onClose} disabled={refund.isPending}>
            Отмена
          </Button>
          <Button
            type="submit"
            form={formId}
            className="!bg-danger !text-canvas"
            loading={refund.isPending}
            loadingText="Возвращаем…"
          >
            Вернуть деньги
          </Button>
        </>
      }
    >
      <RefundForm formId={formId} payment={payment} refund={refund} />
    </Dialog>
  );
}

/** A requested refund keeps its Idempotency-Key until it is decided, so that a repeated try pays nothing twice. */
function useRefund(payment: AdminPayment) {
  const [intent] = useState(createStartIntent);
  const refreshLists = useRefreshLists();
  const refund = useMutation({
    mutationFn: (body: { reason: string; amountRub: number }) =>
      callApi(
        refundPayment,
        { params: { id: payment.id }, body },
        { headers: { [IDEMPOTENCY_KEY_HEADER]: intent.keyFor(body) } },
      ),
    onSuccess: refreshLists,
    onError: (error, body) => {
      if (askIfUnconfirmed(error, () => refund.mutate(body))) return;
      if (isRefundDecided(error)) intent.settle();
      refreshLists();
    },
  });
  return refund;
}

interface RefundFormProps {
  formId: string;
  payment: AdminPayment;
  refund: ReturnType<typeof useRefund>;
}

function RefundForm({ formId, payment, refund }: RefundFormProps) {
  const remainingRub = getRefundableRub(payment);
  const [amount, setAmount] = useState(String(remainingRub).replace('.', ','));
  const [reason, setReason] = useState('');
  const [faults, setFaults] = useState<{ amount?: string; reason?: string }>({});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readRefundForm({ amount, reason }, remainingRub);
    setFaults(read.faults);
    if (read.body) refund.mutate(read.body);
  };
  return (
    <form id={formId} className="grid gap-4" onSubmit={submit} noValidate>
      <Field
        label={payment.currency === 'RUB' ? 'Сумма, ₽' : 'Сумма, Telegram Stars'}
        inputMode="decimal"
        className="num"
        value={amount}
        onChange={(event) => setAmount(event.target.value)}
        error={faults.amount}
        hint={
          payment.currency === 'RUB'
            ? `Можно вернуть до ${formatAmount(remainingRub, 'RUB')}`
            : 'Telegram возвращает только всю сумму'
        }
      />
      <Field
        label="Причина"
        value={reason}
        maxLength={300}
        onChange={(event) => setReason(event.target.value)}
        error={faults.reason}
        hint="Останется в журнале"
      />
      <StarsForecast payment={payment} amountRub={parseRoubles(amount)} />
      {refund.error && (
        <Notice tone="danger" title={describeError(refund.error, 'Не удалось вернуть деньги. Попробуйте ещё раз')} />
      )}
    </form>
  );
}

interface StarsForecastProps {
  payment: AdminPayment;
  amountRub: number | null;
}

function StarsForecast({ payment, amountRub }: StarsForecastProps) {
  const bought = countBoughtStars(payment, amountRub ?? 0);
  const { balance } = payment.account;
  return (
    <p className="text-sm text-muted" aria-live="polite">
      За эти деньги куплено: {countStars(bought)}.{' '}
      {balance >= bought
        ? `На\u00a0балансе ${countStars(balance)}, снимем все купленные.`
        : `На\u00a0балансе только ${countStars(balance)}: снимем их, остальные (${countStars(bought - balance)}) уже потрачены.`}
    </p>
  );
}
