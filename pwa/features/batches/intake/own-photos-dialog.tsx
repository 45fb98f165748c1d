import { Check } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { EmptyState } from '#pwa/components/empty-state.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { ResultTitle } from '#pwa/components/result-title.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { SearchField } from '#pwa/components/search-field.tsx';
import { useSettled } from '#pwa/device/use-settled.ts';
import { CHOICE_GRID, LoadingChoice, NothingFound } from '#pwa/features/photos/choice-grid.tsx';
import { MorePhotos } from '#pwa/features/photos/more-photos.tsx';
import { usePhotoChoice } from '#pwa/features/photos/photo-choice.tsx';
import { nb } from '#pwa/format.ts';
import { SEARCH_MAX_LENGTH } from '#shared/contract/ids.ts';
import type { KeptPhoto } from '#shared/contract/photos.ts';

const TYPING_PAUSE_MS = 300;

export interface OwnPhotosDialogProps {
  onClose: () => void;
  onChosen: (photoIds: readonly string[]) => Promise<void>;
}

/** The choice of several of the uploaded photos. */
export function OwnPhotosDialog({ onClose, onChosen }: OwnPhotosDialogProps) {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isAdding, setIsAdding] = useState(false);
  const settled = useSettled(search.trim(), TYPING_PAUSE_MS);
  const { list, items } = usePhotoChoice({ search: settled, product: '' }, true);
  const toggle = (id: string) =>
    setChosen((now) => (now.has(id) ? new Set([...now].filter((one) => one !== id)) : new Set(now).add(id)));
  const add = async () => {
    setIsAdding(true);
    await onChosen([...chosen]);
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Мои фото"
      canClose={!isAdding}
      footer={
        <>
          <Button variant="second" disabled={isAdding} onClick={onClose}>
            Отмена
          </Button>
          <Button
            disabledReason={chosen.size === 0 ? 'Сначала выберите фото' : null}
            loading={isAdding}
            loadingText="Добавляем…"
            onClick={() => void add()}
          >
            {nb(`Добавить: ${chosen.size}`)}
          </Button>
        </>
      }
    >
      <SearchField
        label="Найти фото"
        placeholder="Имя файла или артикул"
        maxLength={SEARCH_MAX_LENGTH}
        value={search}
        onChange={setSearch}
        onClear={() => setSearch('')}
      />
      <div className="mt-4">
        {list.isPending ? (
          <LoadingChoice text="Загружаем фото…" />
        ) : list.isError && items.length === 0 ? (
          <RetryNotice
            title="Не удалось загрузить список фото"
            isRetrying={list.isFetching}
            onRetry={() => void list.refetch()}
          />
        ) : items.length > 0 ? (
          <>
            <ul className={CHOICE_GRID} aria-label="Мои фото">
              {items.map((photo) => (
                <li key={photo.id}>
                  <PhotoOption photo={photo} isChosen={chosen.has(photo.id)} onToggle={() => toggle(photo.id)} />
                </li>
              ))}
            </ul>
            <MorePhotos list={list} />
          </>
        ) : settled === '' ? (
          <EmptyState title="Загруженных фото нет" text={nb('Они появятся здесь после загрузки.')} />
        ) : (
          <NothingFound />
        )}
      </div>
    </Dialog>
  );
}

interface PhotoOptionProps {
  photo: KeptPhoto;
  isChosen: boolean;
  onToggle: () => void;
}

function PhotoOption({ photo: { name, thumbnailUrl, product }, isChosen, onToggle }: PhotoOptionProps) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      aria-label={product ? `${name}, артикул ${product.article}` : name}
      className={`opt relative block w-full overflow-hidden ${isChosen ? 'shadow-[inset_0_0_0_2px_var(--color-ink)]' : ''}`}
      onClick={onToggle}
    >
      {isChosen && (
        <span className="tick !size-5 !right-1.5 !top-1.5">
          <Check className="ic ic-s !size-3" />
        </span>
      )}
      <ResultPicture url={thumbnailUrl} alt="" isLazy />
      <span className="block text-xs px-2 py-1.5 text-left">
        <ResultTitle title={name} />
        {product && <span className="block text-muted truncate">{product.article}</span>}
      </span>
    </button>
  );
}
