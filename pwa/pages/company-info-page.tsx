import type { ReactNode } from 'react';
import { Notice } from '#pwa/components/notice.tsx';
import { OperatorGate } from '#pwa/features/documents/operator-gate.tsx';
import { SampleOperatorNotice } from '#pwa/features/documents/sample-operator-notice.tsx';
import { nb } from '#pwa/format.ts';

/** The operator of the service, with its entries in the state registers. */
export default function CompanyInfoPage() {
  return (
    <div className="max-w-[760px] mx-auto px-5 py-8 md:py-12">
      <h1 className="ptitle">О компании</h1>
      <p className="text-lg text-muted mt-3 mb-6">
        {nb('Услуги сервиса «Подиум» оказывает индивидуальный предприниматель.')}
      </p>
      <OperatorGate>
        {(operator) => (
          <div className="grid gap-4">
            {operator.isSample && <SampleOperatorNotice />}
            <Requisites
              items={[
                { label: 'Наименование', value: operator.name },
                { label: 'ОГРНИП', value: operator.ogrnip },
                { label: 'ИНН', value: operator.inn },
                {
                  label: 'Поддержка',
                  value: (
                    <a className="link inline-block py-2 -my-2" href={`mailto:${operator.email}`}>
                      {operator.email}
                    </a>
                  ),
                },
              ]}
            />
            <Notice tone="info" title="Проверьте реквизиты перед оплатой">
              {nb('Получатель платежа на странице платёжной системы должен совпадать с указанным здесь.')}
            </Notice>
          </div>
        )}
      </OperatorGate>
    </div>
  );
}

interface Requisite {
  label: string;
  value: ReactNode;
}

/** A list of names and values that people copy. */
function Requisites({ items }: { items: Requisite[] }) {
  return (
    <dl className="panel divide-y divide-line">
      {items.map(({ label, value }) => (
        <div key={label} className="grid sm:grid-cols-[180px_minmax(0,1fr)] gap-x-6 px-4 md:px-5 py-3">
          <dt className="text-sm text-muted py-1">{label}</dt>
          <dd className="num text-lg [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
