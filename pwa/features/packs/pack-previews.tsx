import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { nb } from '#pwa/format.ts';
import { MARKETPLACE_NAMES } from '#shared/rules/marketplaces.ts';
import type { MarketplacePreview } from './pack-queries.ts';
import { countFiles, describeUnchecked, listChanges, listExtras } from './pack-texts.ts';

const NAMES_SHOWN = 3;

export interface PackPreviewsProps {
  previews: readonly MarketplacePreview[];
  /** Whether the order has changed since. */
  isOld: boolean;
}

/** What the packs would hold: the first names, and for each marketplace what is changed and what lies apart. */
export function PackPreviews({ previews, isOld }: PackPreviewsProps) {
  // Names are told as they lie in a card, if any file does.
  const cards = previews.map(({ files }) => files.filter(({ extra }) => extra === null));
  const files = cards.find((card) => card.length > 0) ?? previews[0]?.files ?? [];
  const more = files.length - NAMES_SHOWN;
  return (
    <section className={`grid gap-3 ${isOld ? 'opacity-60' : ''}`} aria-labelledby="pack-outlook" aria-busy={isOld}>
      <div>
        <h3 id="pack-outlook" className="text-sm font-semibold">
          Получится
        </h3>
        <ul className="text-sm text-muted mt-1" aria-live="polite">
          {files.slice(0, NAMES_SHOWN).map(({ path }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: several files may have one path.
            <li key={index} className="[overflow-wrap:anywhere]">
              {path}
            </li>
          ))}
          {more > 0 && <li className="num">{nb(`и ещё ${more}`)}</li>}
        </ul>
      </div>
      <ul className="border-t border-line">
        {previews.map((preview) => (
          <li key={preview.marketplace} className="border-b border-line pt-3">
            <OnePreview preview={preview} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function OnePreview({ preview: { marketplace, files, unchecked } }: { preview: MarketplacePreview }) {
  const [isOpen, setIsOpen] = useState(false);
  const name = MARKETPLACE_NAMES[marketplace];
  const changes = listChanges(files);
  const extras = listExtras(files);
  const untested = describeUnchecked(unchecked);
  return (
    <>
      <h4 className="font-semibold">
        {name}
        <span className="num font-normal text-muted"> — {countFiles(files.length)}</span>
      </h4>
      <ul className="num text-sm mt-1 grid gap-0.5">
        {changes.length + extras.length === 0 && <li>Менять ничего не нужно</li>}
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
        {extras.map((extra) => (
          <li key={extra} className="text-warning">
            {extra}
          </li>
        ))}
        {untested !== null && <li className="text-muted">{untested}</li>}
      </ul>
      <details className="group text-sm" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary className="inline-flex items-center gap-1.5 min-h-11 cursor-pointer font-medium list-none [&::-webkit-details-marker]:hidden">
          <ChevronDown className="ic ic-s transition-transform group-open:rotate-180" />
          Все файлы
          <span className="sr-only">: {name}</span>
        </summary>
        {isOpen && <Files files={files} />}
      </details>
    </>
  );
}

function Files({ files }: Pick<MarketplacePreview, 'files'>) {
  return (
    <ol className="pb-3 grid gap-2">
      {files.map(({ path, thumbnailUrl, changes, extra }) => (
        <li
          key={`${thumbnailUrl} ${path}`}
          className="flex gap-3 [content-visibility:auto] [contain-intrinsic-size:auto_56px]"
        >
          <div className="pic w-9 h-12 flex-none">
            <ResultPicture url={thumbnailUrl} alt="" isLazy className="size-full object-cover" />
          </div>
          <div className="min-w-0">
            <p className="[overflow-wrap:anywhere]">{path}</p>
            {changes.length > 0 && <p className="text-muted">{nb(changes.join(', '))}</p>}
            {extra !== null && <p className="text-warning">{nb(extra)}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}
