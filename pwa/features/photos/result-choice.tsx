import { keepPreviousData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { Images } from 'lucide-react';
import { describeError } from '#pwa/client/api-error.ts';
import { DEFAULT_GALLERY_FILTER, galleryQuery, resultsQuery } from '#pwa/client/gallery-query.ts';
import { EmptyState } from '#pwa/components/empty-state.tsx';
import { OptionCard } from '#pwa/components/option-card.tsx';
import { RadioGroup } from '#pwa/components/radio-group.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { ResultTitle } from '#pwa/components/result-title.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { formatDate, nb } from '#pwa/format.ts';
import { PICTURES_TO_COME } from '#pwa/messages.ts';
import type { GalleryImage } from '#shared/contract/gallery.ts';
import {
  CHOICE_GRID,
  type ChoiceFilter,
  type ChoiceProps,
  isNarrowed,
  LoadingChoice,
  NothingFound,
} from './choice-grid.tsx';
import { MorePhotos } from './more-photos.tsx';

export const RESULT_CHOICE_TEXTS = {
  loadFailed: 'Не удалось загрузить галерею',
  pickFailed: 'Не удалось выбрать изображение из галереи',
};

/** The images to choose from, the newest first. The whole list is the gallery's own. */
export function useResultChoice(filter: ChoiceFilter, enabled: boolean) {
  const isFiltered = isNarrowed(filter);
  const whole = useInfiniteQuery({ ...galleryQuery(DEFAULT_GALLERY_FILTER), enabled: enabled && !isFiltered });
  const found = useInfiniteQuery({
    ...resultsQuery({ search: filter.search, product: filter.product || null, sort: 'newest' }),
    enabled: enabled && isFiltered,
    placeholderData: keepPreviousData,
  });
  const images = isFiltered
    ? found.data?.pages.flatMap(({ items }) => items.flatMap((item) => (item.kind === 'image' ? [item.image] : [])))
    : whole.data?.pages.flatMap((page) => page.images);
  return { list: isFiltered ? found : whole, items: images ?? [] };
}

interface ResultChoiceProps extends ChoiceProps {
  list: UseInfiniteQueryResult;
  images: readonly GalleryImage[];
}

/** The saved images as options. */
export function ResultChoice({ list, images, chosenId, onChoose, isLocked, isFiltered }: ResultChoiceProps) {
  if (list.isPending) return <LoadingChoice text="Загрузка галереи..." />;
  if (images.length > 0 || list.hasNextPage) {
    return (
      <div>
        <RadioGroup className={CHOICE_GRID} label="Изображения галереи" value={chosenId} onChange={onChoose}>
          {images.map((image) => (
            <OptionCard
              key={image.id}
              value={image.id}
              label={`${image.title}, ${formatDate(image.createdAt)}`}
              disabled={isLocked}
            >
              <ResultPicture url={image.thumbnailUrl} alt="" isLazy />
              <span className="block text-xs px-2 py-1.5 text-left">
                <ResultTitle title={image.title} />
              </span>
            </OptionCard>
          ))}
        </RadioGroup>
        <MorePhotos list={list} />
      </div>
    );
  }
  if (list.isError) {
    return (
      <RetryNotice
        title={RESULT_CHOICE_TEXTS.loadFailed}
        isRetrying={list.isFetching}
        onRetry={() => void list.refetch()}
      >
        {describeError(list.error, 'Пожалуйста, попробуйте позже')}
      </RetryNotice>
    );
  }
  if (isFiltered) return <NothingFound />;
  return <EmptyState picture={<Images className="ic ic-l" />} title="Галерея пуста" text={nb(PICTURES_TO_COME)} />;
}
