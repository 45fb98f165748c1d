import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { EmptyState } from '#pwa/components/empty-state.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { SegmentedControl } from '#pwa/components/segmented-control.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { toast } from '#pwa/components/toast.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { forgetMedia } from '#pwa/device/device-owner.ts';
import { ignoreFailure } from '#pwa/device/storage.ts';
import { formatBytes, formatDate, nb } from '#pwa/format.ts';
import { deletePhoto, type KeptPhoto, type PhotoOrder } from '#shared/contract/photos.ts';
import { describeRoom, keptPhotosQuery } from './kept-photos-query.ts';
import { MorePhotos } from './more-photos.tsx';

const ORDERS = [
  { value: 'largest', label: 'Большие' },
  { value: 'oldest', label: 'Старые' },
] as const;

const EXPLANATION = 'Фото удаляется сразу и навсегда. Готовые результаты останутся.';

export interface KeptPhotosDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The uploaded photos that take the most room or are the oldest, each with a button that deletes it. */
export function KeptPhotosDialog({ open, onOpenChange }: KeptPhotosDialogProps) {
  const [order, setOrder] = useState<PhotoOrder>('largest');
  const kept = useInfiniteQuery({ ...keptPhotosQuery({ order }), enabled: open });
  const room = kept.data?.pages.at(-1);
  const photos = kept.data?.pages.flatMap((page) => page.photos) ?? [];
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Мои фото" description={room && describeRoom(room)}>
      {photos.length > 0 ? (
        <>
          <SegmentedControl label="Сначала показать" value={order} onChange={setOrder} options={ORDERS} />
          <p className="text-sm text-muted mt-3">{nb(EXPLANATION)}</p>
          <ul className="divide-y divide-line mt-2">
            {photos.map((photo) => (
              <PhotoRow key={photo.id} photo={photo} />
            ))}
          </ul>
          <MorePhotos list={kept} />
        </>
      ) : kept.data ? (
        <EmptyState title="Загруженных фото нет" text={nb('Они появятся здесь после загрузки.')} />
      ) : kept.isError ? (
        <RetryNotice
          title="Не удалось загрузить список фото"
          isRetrying={kept.isFetching}
          onRetry={() => void kept.refetch()}
        />
      ) : (
        <Skeleton className="h-40" />
      )}
    </Dialog>
  );
}

/** A photo. The first press asks, the second one deletes. */
function PhotoRow({ photo: { id, name, thumbnailUrl, storedBytes, createdAt, isInUse } }: { photo: KeptPhoto }) {
  const [isAsked, setIsAsked] = useState(false);
  const queryClient = useQueryClient();
  const deletion = useMutation({
    mutationFn: () => callApi(deletePhoto, { params: { id } }),
    onSuccess: async () => {
      ignoreFailure(forgetMedia(`/media/photos/${id}/`));
      toast({ title: 'Фото удалено', tone: 'success' });
      // Views of results show that their photo is gone.
      await queryClient.invalidateQueries();
    },
    onError: (error) => toastFailure('Не удалось удалить фото', error, 'Попробуйте ещё раз'),
  });
  return (
    <li className="flex flex-wrap items-center gap-3 py-2">
      <div className="pic w-12 shrink-0">
        <ResultPicture url={thumbnailUrl} alt="" isLazy />
      </div>
      <div className="flex-1 basis-32 min-w-0">
        <div className="font-medium truncate">{name}</div>
        <div className="num text-sm text-muted">{`${formatBytes(storedBytes)} · ${formatDate(createdAt)}`}</div>
      </div>
      {isInUse ? (
        <span className="text-sm text-muted">Сейчас в работе</span>
      ) : isAsked ? (
        <div className="flex gap-1">
          <Button variant="quiet" size="sm" disabled={deletion.isPending} onClick={() => setIsAsked(false)}>
            Оставить
          </Button>
          <Button
            size="sm"
            className="!bg-danger !text-canvas"
            loading={deletion.isPending}
            loadingText="Удаляем…"
            aria-label={`Удалить навсегда: ${name}`}
            onClick={() => deletion.mutate()}
          >
            Удалить навсегда
          </Button>
        </div>
      ) : (
        <Button
          variant="quiet"
          size="sm"
          icon={<Trash2 className="ic ic-s" />}
          aria-label={`Удалить фото: ${name}`}
          onClick={() => setIsAsked(true)}
        >
          Удалить
        </Button>
      )}
    </li>
  );
}
