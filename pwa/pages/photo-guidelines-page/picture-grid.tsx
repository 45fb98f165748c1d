import { Check, TriangleAlert, X } from 'lucide-react';
import { nb } from '#pwa/format.ts';
import type { GuidelinePicture } from './guideline-pictures.ts';

const VERDICTS = {
  suitable: { Icon: Check, className: 'text-success' },
  unsuitable: { Icon: X, className: 'text-danger' },
  risky: { Icon: TriangleAlert, className: 'text-warning' },
};

export interface PictureGridProps {
  id: string;
  title: string;
  lead: string;
  verdict: keyof typeof VERDICTS;
  pictures: readonly GuidelinePicture[];
}

/** Examples with one verdict, each with its reason. */
export function PictureGrid({ id, title, lead, verdict, pictures }: PictureGridProps) {
  const { Icon, className } = VERDICTS[verdict];
  return (
    <section aria-labelledby={id} className="mt-12">
      <h2 id={id} className={`flex items-center gap-2 text-xl font-semibold ${className}`}>
        <Icon className="ic" />
        {title}
      </h2>
      <p className="text-muted mt-1">{nb(lead)}</p>
      <ul
        className={`mt-5 grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(8rem,40%)),1fr))] gap-x-4 gap-y-6 ${pictures.length > 4 ? 'md:grid-cols-5' : 'md:grid-cols-4'}`}
      >
        {pictures.map(({ url, alt, text }) => (
          <li key={url}>
            <img src={url} alt={alt} width={360} height={480} loading="lazy" className="ph" />
            <p className="flex gap-2 mt-2 text-sm [overflow-wrap:anywhere]">
              <Icon className={`ic ic-s mt-0.5 ${className}`} />
              {nb(text)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
