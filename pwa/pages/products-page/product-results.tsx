import { type ReactNode, useRef, useState } from 'react';
import type { GalleryList } from '#pwa/features/gallery/gallery-lists.ts';
import { useSelection } from '#pwa/features/gallery/selection.tsx';
import { ResultBrowser } from '#pwa/pages/result-browser/result-browser.tsx';

export interface ProductResultsProps {
  list: GalleryList;
  /** Tells lists apart: another one starts at its own top. */
  listKey: string;
  /** Stands for a list without results. */
  empty?: ReactNode;
}

/** Images and videos of a product, or of a search for products, as the gallery shows them. */
export function ProductResults({ list, listKey, empty }: ProductResultsProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const viewed = useState<string | null>(null);
  const selection = useSelection();
  return (
    <section aria-labelledby="product-results">
      <h2 ref={heading} id="product-results" className="sec mb-3" tabIndex={-1}>
        Результаты
      </h2>
      <ResultBrowser
        refreshes={0}
        headings="day"
        list={list}
        listKey={listKey}
        selection={selection}
        viewed={viewed}
        heading={heading}
        empty={empty}
        onRefresh={() => void list.refresh()}
      />
    </section>
  );
}
