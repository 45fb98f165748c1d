import { MousePointerClick, Presentation, Search } from 'lucide-react';
import { nb } from '#pwa/lib/format.ts';

const BENEFITS = [
  { Icon: Presentation, title: 'Презентация товара', text: 'Посадка и ткань видны в движении' },
  { Icon: Search, title: 'SEO-продвижение', text: 'Видео делает карточку полнее для поиска площадки' },
  { Icon: MousePointerClick, title: 'CTR и конверсия', text: 'Движение привлекает внимание к карточке' },
];

/** What a video does for a product card. */
export function BenefitCards() {
  return (
    <ul className="grid md:grid-cols-3 gap-x-8 gap-y-4 mt-10 pt-6 border-t border-line">
      {BENEFITS.map(({ Icon, title, text }) => (
        <li key={title} className="flex gap-3">
          <Icon className="ic mt-0.5" />
          <div>
            <div className="font-semibold text-sm">{title}</div>
            <p className="text-sm text-muted">{nb(text)}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
