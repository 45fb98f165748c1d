import { useMemo, useRef, useState } from 'react';
import { describeError } from '#pwa/client/api-error.ts';
import { EmptyState } from '#pwa/components/empty-state.tsx';
import { ListAge } from '#pwa/components/list-age.tsx';
import { LoadMore } from '#pwa/components/load-more.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { useResultList } from '#pwa/features/gallery/gallery-lists.ts';
import { GallerySkeleton } from '#pwa/features/gallery/gallery-notes.tsx';
import { GALLERY_TEXTS } from '#pwa/features/gallery/gallery-texts.ts';
import { keepFocus } from '#pwa/features/gallery/keep-focus.ts';
import { ResultGrid } from '#pwa/features/gallery/result-grid.tsx';
import { useDeletion } from '#pwa/features/gallery/use-deletion.ts';
import { useSeenResults } from '#pwa/features/notifications/use-seen-results.ts';
import { nb } from '#pwa/format.ts';
import { GalleryViewer } from '#pwa/pages/gallery-page/gallery-viewer.tsx';
import { ResultDialogs, useCardActions, useResultDialogs } from '#pwa/pages/gallery-page/result-dialogs.tsx';
import type { Product } from '#shared/contract/products.ts';

const noSelection = () => undefined;

/** The images and videos of a product, as the gallery shows them. */
export function ProductResults({ product }: { product: Product }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [viewedId, setViewedId] = useState<string | null>(null);
  const list = useResultList({ product: product.id, search: '', sort: 'newest' });
  const deletion = useDeletion(() => keepFocus(heading));
  const items = useMemo(
    () => list.items?.filter(({ id }) => !deletion.hiddenIds.has(id)) ?? null,
    [list.items, deletion.hiddenIds],
  );
  useSeenResults(items?.map(({ generationId }) => generationId) ?? []);
  const dialogs = useResultDialogs();
  const actions = useCardActions(dialogs, setViewedId, noSelection);
  return (
    <section aria-labelledby="product-results">
      <h2 ref={heading} id="product-results" className="sec mb-3" tabIndex={-1}>
        Результаты
      </h2>
      {items === null ? (
        list.error && !list.isFetching ? (
          <RetryNotice title={GALLERY_TEXTS.loadFailed} onRetry={() => void list.refresh()}>
            {describeError(list.error, 'Пожалуйста, попробуйте позже')}
          </RetryNotice>
        ) : (
          <GallerySkeleton />
        )
      ) : items.length === 0 && !list.hasMore ? (
        <EmptyState title="Результатов пока нет" text={nb('Здесь появятся видео и изображения этого товара.')} />
      ) : (
        <>
          <ListAge list={list} onRefresh={() => void list.refresh()} />
          <ResultGrid items={items} deletingId={deletion.deletingId} selectedIds={null} actions={actions} />
        </>
      )}
      <LoadMore list={list} />
      <GalleryViewer
        {...{ items, viewedId }}
        onView={setViewedId}
        onDelete={actions.onDelete}
        {...{ onCheck: dialogs.compare, onReport: dialogs.report }}
        fetchMore={list.fetchMore}
      />
      <ResultDialogs dialogs={dialogs} actions={actions} onDelete={deletion.remove} />
    </section>
  );
}
