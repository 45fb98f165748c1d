import { Check, ChevronDown, X } from 'lucide-react';
import { nb } from '#pwa/format.ts';

const GOOD = [
  'Качественное фото одежды на модели лицом к камере',
  'Обувь отдельно, с движением «Обувь»',
  'Лицо видно хорошо или не видно совсем',
  'В полный рост или по пояс, от 512×512 px',
  'Чистое фото с простыми деталями',
];
const BAD = [
  'Инфографика поверх фото',
  'Модель спиной к камере, закрытое лицо',
  'Обувь на ногах, одни аксессуары',
  'Раскладка на плоскости, несколько человек',
  'Много мелких деталей, плохой свет',
];

/** What makes a good source photo. Collapsed until opened. */
export function PhotoGuidelines() {
  return (
    <details className="group text-sm -mb-3">
      <summary className="flex items-center gap-1.5 min-h-11 cursor-pointer font-medium list-none [&::-webkit-details-marker]:hidden">
        <ChevronDown className="ic ic-s transition-transform group-open:rotate-180" />
        Какое фото подойдёт
      </summary>
      <div className="grid gap-4 pb-1">
        <Tips title="Подойдёт" tips={GOOD} isGood />
        <Tips title="Не подойдёт" tips={BAD} isGood={false} />
      </div>
    </details>
  );
}

function Tips({ title, tips, isGood }: { title: string; tips: string[]; isGood: boolean }) {
  const Icon = isGood ? Check : X;
  return (
    <div>
      <h3 className={`font-semibold ${isGood ? 'text-success' : 'text-danger'}`}>{title}</h3>
      <ul className="grid gap-1 mt-1">
        {tips.map((tip) => (
          <li key={tip} className="flex gap-2">
            <Icon className={`ic ic-s mt-0.5 ${isGood ? 'text-success' : 'text-danger'}`} />
            {nb(tip)}
          </li>
        ))}
      </ul>
    </div>
  );
}
