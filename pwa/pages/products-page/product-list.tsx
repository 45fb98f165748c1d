import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Plus, Tags } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { describeError } from '#pwa/client/api-error.ts';
import { useKnownList } from '#pwa/client/use-known-list.ts';
import { Button } from '#pwa/components/button.tsx';
import { EmptyState } from '#pwa/components/empty-state.tsx';
import { HomeLink } from '#pwa/components/home-link.tsx';
import { ListAge } from '#pwa/components/list-age.tsx';
import { LoadMore } from '#pwa/components/load-more.tsx';
import { ResultPicture, SilhouetteBox } from '#pwa/components/result-picture.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { SearchField } from '#pwa/components/search-field.tsx';
import { SearchOutcome } from '#pwa/components/search-outcome.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { useSearchWords } from '#pwa/device/use-search-words.ts';
import { useResultList } from '#pwa/features/gallery/gallery-lists.ts';
import { GallerySwitch } from '#pwa/features/gallery/gallery-switch.tsx';
import { ProductDialog } from '#pwa/features/products/product-dialog.tsx';
import { productsQuery } from '#pwa/features/products/product-queries.ts';
import { nb } from '#pwa/format.ts';
import { productPath } from '#pwa/paths.ts';
import { SEARCH_MAX_LENGTH } from '#shared/contract/ids.ts';
import type { Product } from '#shared/contract/products.ts';
import { countProductParts } from './count-parts.ts';
import { ProductResults } from './product-results.tsx';

const GRID = 'grid grid-cols-2 sm:grid-cols-3 xl:grid-cols-5 gap-x-3 md:gap-x-4 gap-y-6';

/** All products of the account, with a way to create one and a search, which finds their results as well. */
export function ProductList() {
  const navigate = useNavigate();
  const [isCreating, setIsCreating] = useState(false);
  const search = useSearchWords();
  const options = productsQuery(search.words);
  const query = useInfiniteQuery({ ...options, placeholderData: keepPreviousData });
  const list = useKnownList(query, options.queryKey);
  const products = query.data?.pages.flatMap((page) => page.products) ?? null;
  const isSearched = search.words !== '';
  const results = useResultList({ product: null, search: search.words, sort: 'newest' }, isSearched);
  const found = !isSearched || results.isPrevious ? null : results.error ? [] : results.items;
  const isEmpty = products?.length === 0 && !list.hasMore;
  return (
    <>
      <HomeLink />
      <div className="grid grid-cols-[1fr_auto] lg:grid-cols-[auto_1fr_auto] items-center gap-x-6 gap-y-4 mb-5">
        <h1 className="ptitle">Товары</h1>
        <Button
          variant="second"
          size="sm"
          className="lg:order-last"
          icon={<Plus className="ic ic-s" />}
          onClick={() => setIsCreating(true)}
        >
          Новый товар
        </Button>
        <div className="max-lg:col-span-full lg:hidden">
          <GallerySwitch />
        </div>
        {(!isEmpty || isSearched) && (
          <SearchField
            value={search.text}
            onChange={search.setText}
            onClear={search.clear}
            label="Поиск товаров"
            placeholder="Артикул или название"
            maxLength={SEARCH_MAX_LENGTH}
            className="max-lg:col-span-full lg:w-full lg:max-w-md lg:justify-self-end"
          />
        )}
      </div>
      {products === null ? (
        <ProductsToCome list={list} />
      ) : (
        <>
          <ListAge list={list} onRefresh={() => void list.refresh()} />
          {found && !query.isPlaceholderData && (
            <SearchOutcome
              words={search.words}
              count={products.length || found.length}
              hasMore={products.length > 0 ? list.hasMore : results.hasMore}
              hint="Проверьте артикул: подойдёт и его часть."
              onClear={search.clear}
            />
          )}
          {isEmpty && !isSearched ? (
            <NoProducts onCreate={() => setIsCreating(true)} />
          ) : (
            <ul className={GRID} aria-busy={query.isPlaceholderData || undefined}>
              {products.map((product) => (
                <li key={product.id} className="min-w-0">
                  <ProductCard product={product} />
                </li>
              ))}
            </ul>
          )}
          <LoadMore list={list} />
          {found && found.length > 0 && (
            <div className="mt-8">
              <ProductResults list={results} listKey={search.words} />
            </div>
          )}
        </>
      )}
      {isCreating && (
        <ProductDialog
          product={null}
          onClose={() => setIsCreating(false)}
          onSaved={({ id }) => void navigate(productPath(id))}
        />
      )}
    </>
  );
}

function ProductCard({ product }: { product: Product }) {
  const { id, article, name, coverUrl } = product;
  return (
    <Link to={productPath(id)} className="block no-underline group">
      <span className="pic block group-hover:opacity-90">
        {coverUrl ? <ResultPicture url={coverUrl} alt="" isLazy /> : <SilhouetteBox />}
      </span>
      <span className="block mt-2.5 text-sm font-semibold line-clamp-2 [overflow-wrap:anywhere]">{article}</span>
      {name && <span className="block text-sm line-clamp-2 [overflow-wrap:anywhere]">{name}</span>}
      <span className="num block text-xs text-muted mt-0.5">{countProductParts(product)}</span>
    </Link>
  );
}

function NoProducts({ onCreate }: { onCreate: () => void }) {
  return (
    <EmptyState
      picture={<Tags className="ic ic-l" />}
      title="Товаров пока нет"
      text={nb(
        'Здесь собраны все фото и результаты одного артикула. Артикул читается из имени файла, или его можно указать самим.',
      )}
      action={<Button onClick={onCreate}>Создать товар</Button>}
    />
  );
}

function ProductsToCome({ list }: { list: ReturnType<typeof useKnownList> }) {
  if (list.error && !list.isFetching) {
    return (
      <RetryNotice title="Не удалось загрузить товары" onRetry={() => void list.refresh()}>
        {describeError(list.error, 'Пожалуйста, попробуйте позже')}
      </RetryNotice>
    );
  }
  return (
    <div role="status">
      <p className="sr-only">Загружаем товары…</p>
      <div className={GRID} aria-hidden="true">
        {[1, 2, 3, 4].map((key) => (
          <Skeleton key={key} className="aspect-[3/4]" />
        ))}
      </div>
    </div>
  );
}
