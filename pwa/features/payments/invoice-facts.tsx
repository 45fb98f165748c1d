import type { ReactNode } from 'react';
import { StarCount } from '#pwa/components/star-count.tsx';
import { formatRubles } from '#pwa/format.ts';
import type { Invoice } from '#shared/contract/payments.ts';
import type { PaymentReturn } from './payment-return.ts';

interface InvoiceFactsProps {
  invoice: Pick<Invoice, 'packageName' | 'stars' | 'amountRub'>;
  place: PaymentReturn | null;
  /** More rows. */
  children?: ReactNode;
}

/** What an invoice is for: the package, its stars and its price, and what the buyer needed them for. */
export function InvoiceFacts({ invoice: { packageName, stars, amountRub }, place, children }: InvoiceFactsProps) {
  return (
    <dl className="panel divide-y divide-line mt-6 px-4 md:px-5">
      <Fact name="Пакет">«{packageName}»</Fact>
      <Fact name="Звёзды">
        <StarCount count={stars} withWord />
      </Fact>
      <Fact name="Цена">{formatRubles(amountRub)}</Fact>
      {place && <Fact name="Для чего">{place.purpose}</Fact>}
      {children}
    </dl>
  );
}

/** One row: its name, and its value on the right. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-3">
      <dt className="text-muted">{name}</dt>
      <dd className="num font-semibold text-right ml-auto">{children}</dd>
    </div>
  );
}
