import { useRef, useState } from 'react';
import { EmptyState } from '#pwa/components/empty-state.tsx';
import { useResultList } from '#pwa/features/gallery/gallery-lists.ts';
import { useSelection } from '#pwa/features/gallery/selection.tsx';
import { nb } from '#pwa/format.ts';
import { ResultBrowser } from '#pwa/pages/result-browser/result-browser.tsx';
import type { Product } from '#shared/contract/products.ts';

/** The images and videos of a product, as the gallery shows them. */
export function ProductResults({ product }: { product: Product }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const viewed = useState<string | null>(null);
  const selection = useSelection();
  const list = useResultList({ product: product.id, search: '', sort: 'newest' }, true);
  return (
    <section aria-labelledby="product-results">
      <h2 ref={heading} id="product-results" className="sec mb-3" tabIndex={-1}>
        Результаты
      </h2>
      <ResultBrowser
        list={list}
        listKey={product.id}
        refreshes={0}
        headings="day"
        {...{ selection, viewed, heading }}
        empty={
          <EmptyState title="Результатов пока нет" text={nb('Здесь появятся видео и изображения этого товара.')} />
        }
        onRefresh={() => void list.refresh()}
      />
    </section>
  );
}
