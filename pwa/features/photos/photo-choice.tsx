import { keepPreviousData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { ImageUp } from 'lucide-react';
import { describeError } from '#pwa/client/api-error.ts';
import { EmptyState } from '#pwa/components/empty-state.tsx';
import { OptionCard } from '#pwa/components/option-card.tsx';
import { RadioGroup } from '#pwa/components/radio-group.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { ResultTitle } from '#pwa/components/result-title.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { formatDate, nb } from '#pwa/format.ts';
import type { KeptPhoto, KeptPhotos } from '#shared/contract/photos.ts';
import { CHOICE_GRID, type ChoiceFilter, type ChoiceProps, LoadingChoice, NothingFound } from './choice-grid.tsx';
import { KeptPhotosButton } from './kept-photos-button.tsx';
import { describeRoom, keptPhotosQuery } from './kept-photos-query.ts';
import { MorePhotos } from './more-photos.tsx';

/** The uploaded photos to choose from, the newest first. */
export function usePhotoChoice({ search, product }: ChoiceFilter, enabled: boolean) {
  const query = keptPhotosQuery({ order: 'newest', search, product });
  const list = useInfiniteQuery({ ...query, enabled, placeholderData: keepPreviousData });
  return { list, items: list.data?.pages.flatMap(({ photos }) => photos) ?? [] };
}

interface PhotoChoiceProps extends ChoiceProps {
  list: UseInfiniteQueryResult<{ pages: KeptPhotos[] }>;
  photos: readonly KeptPhoto[];
}

/** The uploaded photos as options, and the room that all of them take. */
export function PhotoChoice({ list, photos, chosenId, onChoose, isLocked, isFiltered }: PhotoChoiceProps) {
  const room = list.data?.pages.at(-1);
  if (list.isPending) return <LoadingChoice text="Загружаем фото…" />;
  if (!room) {
    return (
      <RetryNotice
        title="Не удалось загрузить список фото"
        isRetrying={list.isFetching}
        onRetry={() => void list.refetch()}
      >
        {describeError(list.error, 'Пожалуйста, попробуйте позже')}
      </RetryNotice>
    );
  }
  if (photos.length === 0) {
    if (isFiltered) return <NothingFound />;
    return (
      <EmptyState
        picture={<ImageUp className="ic ic-l" />}
        title="Загруженных фото нет"
        text={nb('Они появятся здесь после загрузки.')}
      />
    );
  }
  return (
    <div>
      <RadioGroup className={CHOICE_GRID} label="Мои фото" value={chosenId} onChange={onChoose}>
        {photos.map((photo) => (
          <OptionCard key={photo.id} value={photo.id} label={describePhoto(photo)} disabled={isLocked}>
            <ResultPicture url={photo.thumbnailUrl} alt="" isLazy />
            <span className="block text-xs px-2 py-1.5 text-left">
              <ResultTitle title={photo.name} />
              {photo.product && <span className="block text-muted truncate">{photo.product.article}</span>}
            </span>
          </OptionCard>
        ))}
      </RadioGroup>
      <MorePhotos list={list} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 mt-3">
        <p className="num text-sm text-muted">{describeRoom(room)}</p>
        <KeptPhotosButton variant="quiet" size="sm" className="-mx-3">
          Удалить ненужные
        </KeptPhotosButton>
      </div>
    </div>
  );
}

function describePhoto({ name, product, createdAt }: KeptPhoto): string {
  return [name, product && `артикул ${product.article}`, formatDate(createdAt)].filter(Boolean).join(', ');
}
