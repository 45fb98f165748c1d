import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ArrowLeft, Package, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { describeError, isRefusedFor } from '#pwa/client/api-error.ts';
import { Button, ButtonLink } from '#pwa/components/button.tsx';
import { EmptyState } from '#pwa/components/empty-state.tsx';
import { ErrorView } from '#pwa/components/error-view.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { toast } from '#pwa/components/toast.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { useOnline } from '#pwa/device/use-online.ts';
import { useDialogInAddress } from '#pwa/device/use-taken-parameter.ts';
import { ConfirmDeletion } from '#pwa/features/gallery/delete-dialog.tsx';
import { useResultList } from '#pwa/features/gallery/gallery-lists.ts';
import { LazyPackDialog } from '#pwa/features/packs/lazy-pack-dialog.tsx';
import { PACKS_PARAMETER } from '#pwa/features/packs/packs-way-back.ts';
import { keptPhotosQuery } from '#pwa/features/photos/kept-photos-query.ts';
import { useDeleteProduct } from '#pwa/features/products/product-changes.ts';
import { ProductDialog } from '#pwa/features/products/product-dialog.tsx';
import { productQuery } from '#pwa/features/products/product-queries.ts';
import { nb } from '#pwa/format.ts';
import type { Product } from '#shared/contract/products.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { countProductParts } from './count-parts.ts';
import { ProductPhotos } from './product-photos.tsx';
import { ProductResults } from './product-results.tsx';

/** One product: its photos, its results, and what can be made from it. */
export function ProductView({ id }: { id: string }) {
  const query = useQuery(productQuery(id));
  const product = query.data;
  return (
    <>
      <Link className="back" to={PATHS.products}>
        <ArrowLeft className="ic ic-s" />
        Все товары
      </Link>
      {product ? (
        <KnownProduct product={product} />
      ) : query.isFetching ? (
        <div role="status">
          <p className="sr-only">Загружаем товар…</p>
          <Skeleton className="h-10 max-w-xs" />
          <Skeleton className="h-40 mt-6" />
        </div>
      ) : isGone(query.error) ? (
        <ErrorView
          title="Такого товара нет"
          text={nb('Возможно, его удалили. Фото и результаты удалённого товара остаются.')}
          action={<ButtonLink to={PATHS.products}>Все товары</ButtonLink>}
        />
      ) : (
        <RetryNotice title="Не удалось загрузить товар" onRetry={() => void query.refetch()}>
          {describeError(query.error, 'Пожалуйста, попробуйте позже')}
        </RetryNotice>
      )}
    </>
  );
}

function isGone(error: unknown): boolean {
  return isRefusedFor(error, 'product_not_found') || isRefusedFor(error, 'product_forbidden');
}

function KnownProduct({ product }: { product: Product }) {
  const navigate = useNavigate();
  const isOnline = useOnline();
  const [isEditing, setIsEditing] = useState(false);
  const [isPacking, setPacking] = useDialogInAddress(PACKS_PARAMETER);
  const [isDeletionAsked, setIsDeletionAsked] = useState(false);
  const photos = useInfiniteQuery(keptPhotosQuery({ order: 'newest', product: product.id }));
  const results = useResultList({ product: product.id, search: '', sort: 'newest' }, true);
  const deletion = useDeleteProduct(({ article }) => {
    toast({ title: nb(`Товар ${article} удалён`), tone: 'success' });
    void navigate(PATHS.products, { replace: true });
  });
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 mb-6">
        <div className="min-w-0">
          <h1 className="ptitle" tabIndex={-1}>
            {product.article}
          </h1>
          {product.name && <p className="text-lg [overflow-wrap:anywhere]">{product.name}</p>}
          <p className="num text-sm text-muted">{countProductParts(product)}</p>
        </div>
        <div className="flex flex-wrap gap-1 max-md:-ml-3">
          {product.results > 0 && (
            <Button variant="quiet" size="sm" icon={<Package className="ic ic-s" />} onClick={() => setPacking(true)}>
              Пакеты
            </Button>
          )}
          <Button
            variant="quiet"
            size="sm"
            icon={<Pencil className="ic ic-s" />}
            disabled={!isOnline}
            onClick={() => setIsEditing(true)}
          >
            Изменить
          </Button>
          <Button
            variant="quiet"
            size="sm"
            icon={<Trash2 className="ic ic-s" />}
            disabled={!isOnline}
            loading={deletion.isPending}
            loadingText="Удаляем…"
            onClick={() => setIsDeletionAsked(true)}
          >
            Удалить
          </Button>
        </div>
      </div>
      <ProductPhotos product={product} query={photos} />
      <ProductResults
        list={results}
        listKey={product.id}
        empty={
          <EmptyState title="Результатов пока нет" text={nb('Здесь появятся видео и изображения этого товара.')} />
        }
      />
      {isPacking && (
        <LazyPackDialog subject={{ productId: product.id }} title={product.article} onClose={() => setPacking(false)} />
      )}
      {isEditing && (
        <ProductDialog
          product={product}
          onClose={() => setIsEditing(false)}
          onSaved={() => toast({ title: 'Товар сохранён', tone: 'success' })}
        />
      )}
      <ConfirmDeletion
        title={isDeletionAsked ? 'Удалить товар?' : null}
        description={nb(`Фото и результаты товара ${product.article} останутся: они будут без товара.`)}
        action="Удалить"
        onClose={() => setIsDeletionAsked(false)}
        onConfirm={() =>
          deletion.mutate(product, {
            onError: (error) => toastFailure('Не удалось удалить товар', error, 'Попробуйте ещё раз'),
          })
        }
      />
    </>
  );
}
