import type { MouseEventHandler, ReactNode } from 'react';
import { type ButtonProps, buttonClass } from '#pwa/components/button.tsx';
import type { Invoice } from '#shared/contract/payments.ts';
import { resolvePaymentUrl } from './payment-address.ts';

interface PayInvoiceLinkProps extends Pick<ButtonProps, 'variant' | 'size'> {
  invoice: Pick<Invoice, 'paymentUrl'>;
  onClick?: MouseEventHandler;
  children: ReactNode;
}

/** A link to the payment page of an invoice; nothing when it can no longer be paid. */
export function PayInvoiceLink({ invoice, variant, size, onClick, children }: PayInvoiceLinkProps) {
  const address = invoice.paymentUrl && resolvePaymentUrl(invoice.paymentUrl, location.href);
  if (!address) return null;
  return (
    <a className={buttonClass({ variant, size })} href={address} onClick={onClick}>
      {children}
    </a>
  );
}
