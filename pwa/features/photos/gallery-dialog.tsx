import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Images } from 'lucide-react';
import { useEffect, useState } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { describeError } from '#pwa/client/api-error.ts';
import { DEFAULT_GALLERY_FILTER, galleryQuery } from '#pwa/client/gallery-query.ts';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { EmptyState } from '#pwa/components/empty-state.tsx';
import { OptionCard } from '#pwa/components/option-card.tsx';
import { RadioGroup } from '#pwa/components/radio-group.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { ResultTitle } from '#pwa/components/result-title.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { toast } from '#pwa/components/toast.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { readTitle } from '#pwa/features/generations/result-title.ts';
import { formatDate, nb } from '#pwa/format.ts';
import { PICTURES_TO_COME } from '#pwa/messages.ts';
import { type GalleryImage, pickFromGallery } from '#shared/contract/gallery.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';

export interface GalleryDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onPicked: (photo: UploadedPhoto) => void;
}

const LOAD_FAILED = 'Не удалось загрузить галерею';
const PICK_FAILED = 'Не удалось выбрать изображение из галереи';
const GRID = 'grid grid-cols-2 sm:grid-cols-3 gap-2';

/** The choice of a photo from the saved results. */
export function GalleryDialog({ open, onOpenChange, onPicked }: GalleryDialogProps) {
  const [chosenId, setChosenId] = useState<string | null>(null);
  const gallery = useInfiniteQuery({ ...galleryQuery(DEFAULT_GALLERY_FILTER), enabled: open });
  const images = gallery.data?.pages.flatMap((page) => page.images) ?? [];
  const chosen = images.find(({ id }) => id === chosenId) ?? null;

  const isFailed = open && gallery.isError && !gallery.isFetching;
  useEffect(() => {
    if (isFailed) toast({ title: 'Ошибка', description: LOAD_FAILED, tone: 'danger' });
  }, [isFailed]);

  const pick = useMutation({
    mutationFn: ({ id }: GalleryImage) => callApi(pickFromGallery, { params: { id } }),
    onSuccess: (photo, image) => {
      toast({ title: `Изображение "${readTitle(image)}" выбрано из галереи`, tone: 'success' });
      setChosenId(null);
      onOpenChange(false);
      onPicked(photo);
    },
    onError: (error) => toastFailure(PICK_FAILED, error, 'Попробуйте ещё раз'),
  });

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Выбрать из галереи"
      canClose={!pick.isPending}
      footer={
        <>
          <Button variant="second" disabled={pick.isPending} onClick={() => onOpenChange(false)}>
            Отмена
          </Button>
          <Button
            disabledReason={chosen ? null : 'Сначала выберите фото'}
            loading={pick.isPending}
            loadingText="Выбираем…"
            onClick={() => chosen && pick.mutate(chosen)}
          >
            Выбрать
          </Button>
        </>
      }
    >
      {gallery.isPending ? (
        <LoadingImages />
      ) : images.length > 0 ? (
        <>
          <ImageChoice images={images} chosenId={chosenId} onChoose={setChosenId} isLocked={pick.isPending} />
          {gallery.hasNextPage && (
            <Button
              variant="second"
              size="sm"
              wide
              className="mt-3"
              loading={gallery.isFetchingNextPage}
              loadingText="Загружаем…"
              onClick={() => gallery.fetchNextPage()}
            >
              Показать ещё
            </Button>
          )}
        </>
      ) : gallery.isError ? (
        <RetryNotice title={LOAD_FAILED} isRetrying={gallery.isFetching} onRetry={() => void gallery.refetch()}>
          {describeError(gallery.error, 'Пожалуйста, попробуйте позже')}
        </RetryNotice>
      ) : (
        <EmptyState picture={<Images className="ic ic-l" />} title="Галерея пуста" text={nb(PICTURES_TO_COME)} />
      )}
    </Dialog>
  );
}

function LoadingImages() {
  return (
    <div className={GRID} role="status">
      <span className="sr-only">Загрузка галереи...</span>
      {[1, 2, 3].map((key) => (
        <Skeleton key={key} className="aspect-[3/4]" />
      ))}
    </div>
  );
}

interface ImageChoiceProps {
  images: readonly GalleryImage[];
  chosenId: string | null;
  onChoose: (id: string) => void;
  isLocked: boolean;
}

function ImageChoice({ images, chosenId, onChoose, isLocked }: ImageChoiceProps) {
  return (
    <RadioGroup className={GRID} label="Изображения галереи" value={chosenId} onChange={onChoose}>
      {images.map((image) => (
        <OptionCard
          key={image.id}
          value={image.id}
          label={`${readTitle(image)}, ${formatDate(image.createdAt)}`}
          disabled={isLocked}
        >
          <ResultPicture url={image.thumbnailUrl} alt="" isLazy />
          <span className="block text-xs px-2 py-1.5 text-left">
            <ResultTitle title={readTitle(image)} />
          </span>
        </OptionCard>
      ))}
    </RadioGroup>
  );
}
