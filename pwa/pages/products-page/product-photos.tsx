import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { Camera, Clapperboard, ImageUp, type LucideIcon, Shirt, Tag, UserRoundCog, Wallpaper } from 'lucide-react';
import { useRef, useState } from 'react';
import { describeError } from '#pwa/client/api-error.ts';
import { Button, type ButtonProps } from '#pwa/components/button.tsx';
import { EmptyState } from '#pwa/components/empty-state.tsx';
import { OptionCard } from '#pwa/components/option-card.tsx';
import { RadioGroup } from '#pwa/components/radio-group.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { useOnline } from '#pwa/device/use-online.ts';
import { FileInput } from '#pwa/features/photos/file-input.tsx';
import { useProductUpload } from '#pwa/features/photos/use-product-upload.ts';
import { AssignProductDialog } from '#pwa/features/products/assign-product-dialog.tsx';
import { useSessionMarker } from '#pwa/features/session/use-session-marker.ts';
import { useChange, useOffered } from '#pwa/features/tools/tools.ts';
import { nb } from '#pwa/format.ts';
import type { KeptPhoto, KeptPhotos } from '#shared/contract/photos.ts';
import type { Product } from '#shared/contract/products.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import type { Change } from '#shared/rules/tool-abilities.ts';
import { useOpenTool } from './use-open-tool.ts';

export interface ProductPhotosProps {
  product: Product;
  query: UseInfiniteQueryResult<InfiniteData<KeptPhotos>>;
}

/** The photos of a product. The chosen one is what the tools below are opened with. */
export function ProductPhotos({ product, query }: ProductPhotosProps) {
  const photos = query.data?.pages.flatMap((page) => page.photos);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const chosen = photos?.find(({ id }) => id === chosenId) ?? photos?.[0];
  return (
    <section aria-labelledby="product-photos" className="mb-8">
      <div className="flex items-center justify-between gap-3 min-h-11 mb-1">
        <h2 id="product-photos" className="sec">
          Фото
        </h2>
        <div className="flex gap-1 -mr-3">
          {chosen && <OtherArticle product={product} photo={chosen} />}
          {chosen && <AddPhoto product={product} variant="quiet" size="sm" />}
        </div>
      </div>
      {!photos ? (
        query.isFetching ? (
          <Skeleton className="h-40" />
        ) : (
          <RetryNotice title="Не удалось загрузить фото товара" onRetry={() => void query.refetch()}>
            {describeError(query.error, 'Пожалуйста, попробуйте позже')}
          </RetryNotice>
        )
      ) : !chosen ? (
        <EmptyState
          title="Фото этого товара пока нет"
          text={nb('Из него здесь же делаются видео, фото и фотосессии.')}
          action={<AddPhoto product={product} />}
        />
      ) : (
        <>
          <RadioGroup
            label="Фото для нового результата"
            value={chosen.id}
            onChange={setChosenId}
            className="grid grid-cols-[repeat(auto-fill,minmax(88px,1fr))] gap-2"
          >
            {photos.map((photo) => (
              <OptionCard key={photo.id} value={photo.id} label={photo.name} className="p-1">
                <ResultPicture url={photo.thumbnailUrl} alt="" isLazy />
              </OptionCard>
            ))}
          </RadioGroup>
          {query.hasNextPage && (
            <Button
              variant="quiet"
              size="sm"
              className="mt-2"
              loading={query.isFetchingNextPage}
              loadingText="Загружаем…"
              onClick={() => void query.fetchNextPage()}
            >
              Показать ещё фото
            </Button>
          )}
          <PhotoTools photo={chosen} />
        </>
      )}
    </section>
  );
}

const CHANGE_ACTIONS: Record<Change, { label: string; icon: LucideIcon }> = {
  model_change: { label: 'Сменить модель', icon: UserRoundCog },
  background_change: { label: 'Сменить фон', icon: Wallpaper },
};

/** What each tool does with a photo. */
function listActions(change: Change): Record<GenerationKind, { label: string; icon: LucideIcon }> {
  return {
    video: { label: 'Сделать видео', icon: Clapperboard },
    model_change: CHANGE_ACTIONS[change],
    photosession: { label: 'Фотосессия', icon: Camera },
    try_on: { label: 'Примерить', icon: Shirt },
  };
}

/** Opens a tool with the photo. */
function PhotoTools({ photo }: { photo: KeptPhoto }) {
  const userId = useSessionMarker()?.userId ?? 0;
  const { mutate, isPending, variables } = useOpenTool(userId);
  const actions = listActions(useChange());
  return (
    <div className="grid min-[375px]:grid-cols-2 sm:flex sm:flex-wrap gap-2 mt-4 max-sm:*:first:col-span-full">
      {useOffered().map((kind, index) => {
        const { label, icon: Icon } = actions[kind];
        return (
          <Button
            key={kind}
            variant={index === 0 ? 'primary' : 'second'}
            icon={<Icon className="ic" />}
            loading={isPending && variables.kind === kind}
            loadingText="Открываем…"
            onClick={() => mutate({ kind, photo })}
          >
            {label}
          </Button>
        );
      })}
    </div>
  );
}

type AddPhotoProps = Pick<ButtonProps, 'variant' | 'size'> & { product: Product };

/** Uploads a photo of the product. */
function AddPhoto({ product, ...look }: AddPhotoProps) {
  const files = useRef<HTMLInputElement>(null);
  const isOnline = useOnline();
  const { mutate, isPending } = useProductUpload(product);
  return (
    <>
      <Button
        {...look}
        icon={<ImageUp className={look.size === 'sm' ? 'ic ic-s' : 'ic'} />}
        disabledReason={isOnline ? null : 'Нет сети'}
        loading={isPending}
        loadingText="Загружаем…"
        onClick={() => files.current?.click()}
      >
        Загрузить фото
      </Button>
      <FileInput ref={files} onFile={mutate} />
    </>
  );
}

/** Moves the photo, and what was made from it, to another product or out of this one. */
function OtherArticle({ product, photo }: { product: Product; photo: KeptPhoto }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" size="sm" icon={<Tag className="ic ic-s" />} onClick={() => setIsOpen(true)}>
        Другой артикул
      </Button>
      {isOpen && (
        <AssignProductDialog
          photoIds={[photo.id]}
          article={product.article}
          canTakeAway
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
