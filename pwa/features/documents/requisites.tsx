import type { ReactNode } from 'react';

export interface Requisite {
  label: string;
  value: ReactNode;
}

/** Names and values below each other, for what people copy out. */
export function Requisites({ items }: { items: Requisite[] }) {
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
