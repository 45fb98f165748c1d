import { BeforeAfter } from '#pwa/components/before-after.tsx';
import { nb } from '#pwa/format.ts';
import type { CasePicture, CaseStudy } from './case-studies.ts';
import { MetricsTable } from './metrics-table.tsx';

/** One case study: the task, what was done, and the figures. */
export function CaseArticle({ study }: { study: CaseStudy }) {
  const { id, title, task, result, isExample, metrics } = study;
  return (
    <article
      aria-labelledby={id}
      className="grid md:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] gap-x-12 gap-y-6 py-10 md:py-14 border-t border-line"
    >
      <div className="min-w-0">
        {isExample && <span className="tag line">Пример</span>}
        <h2 id={id} className="font-display text-[min(1.75rem,13vw)] leading-tight mt-2">
          {nb(title)}
        </h2>
        <h3 className="text-sm font-semibold mt-4">Задача</h3>
        <p>{nb(task)}</p>
        <h3 className="text-sm font-semibold mt-3">Что сделали</h3>
        <p>{nb(result)}</p>
        <div className="mt-5 overflow-x-auto">
          <MetricsTable caption={`Показатели: ${title}`} metrics={metrics} />
        </div>
      </div>
      <CasePictures study={study} />
    </article>
  );
}

function CasePictures({ study: { before, after } }: { study: CaseStudy }) {
  const [first, ...more] = after;
  if (!first) return null;
  if (more.length === 0) {
    return (
      <div className="max-w-[360px] w-full md:justify-self-end p-2">
        <BeforeAfter before={before} after={first} />
      </div>
    );
  }
  return (
    <div
      className={`grid gap-2 content-start ${after.length > 3 ? 'grid-cols-3' : 'grid-cols-2 max-w-[420px]'} md:justify-self-end`}
    >
      <Picture picture={before} tag="Было" />
      {after.map((picture, index) => (
        <Picture key={picture.url} picture={picture} tag={index === 0 ? 'Стало' : null} />
      ))}
    </div>
  );
}

function Picture({ picture: { url, alt }, tag }: { picture: CasePicture; tag: string | null }) {
  return (
    <div className="pic">
      <img src={url} alt={alt} width={360} height={480} loading="lazy" className="ph" />
      {tag && <span className="tag plate">{tag}</span>}
    </div>
  );
}
