import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { SearchField } from '#pwa/components/search-field.tsx';
import { Tabs } from '#pwa/components/tabs.tsx';
import { toast } from '#pwa/components/toast.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { useOnline } from '#pwa/device/use-online.ts';
import { useSettled } from '#pwa/device/use-settled.ts';
import { productsQuery } from '#pwa/features/products/product-queries.ts';
import { nb } from '#pwa/format.ts';
import { type GalleryImage, pickFromGallery } from '#shared/contract/gallery.ts';
import { SEARCH_MAX_LENGTH } from '#shared/contract/ids.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { type ChoiceFilter, isNarrowed } from './choice-grid.tsx';
import { PhotoChoice, usePhotoChoice } from './photo-choice.tsx';
import { RESULT_CHOICE_TEXTS, ResultChoice, useResultChoice } from './result-choice.tsx';

export interface GalleryDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onPicked: (photo: UploadedPhoto) => void;
}

type Tab = 'photos' | 'results';

const NO_FILTER: ChoiceFilter = { search: '', product: '' };
const TYPING_PAUSE_MS = 300;
/** The value of the option that fetches the next products. It is nobody's id. */
const MORE_PRODUCTS = 'more';

/** The choice of a photo from the uploaded ones and from the saved results. */
export function GalleryDialog({ open, onOpenChange, onPicked }: GalleryDialogProps) {
  const [tab, setTab] = useState<Tab>('photos');
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [typed, setTyped] = useState(NO_FILTER);
  const isOnline = useOnline();
  // Without a network there are only the lists that the device has stored, and they are whole.
  const filter = isOnline ? typed : NO_FILTER;
  const settled = { ...filter, search: useSettled(filter.search.trim(), TYPING_PAUSE_MS) };
  const photos = usePhotoChoice(settled, open && tab === 'photos');
  const results = useResultChoice(settled, open && tab === 'results');
  useFailureToast(open && tab === 'results' && results.list.isError && !results.list.isFetching);

  const take = (photo: UploadedPhoto, title: string) => {
    toast({ title, tone: 'success' });
    setChosenId(null);
    onOpenChange(false);
    onPicked(photo);
  };
  const pick = useMutation({
    mutationFn: ({ id }: GalleryImage) => callApi(pickFromGallery, { params: { id } }),
    onSuccess: (photo, { title }) => take(photo, `Изображение "${title}" выбрано из галереи`),
    onError: (error) => toastFailure(RESULT_CHOICE_TEXTS.pickFailed, error, 'Попробуйте ещё раз'),
  });
  const photo = tab === 'photos' ? photos.items.find(({ id }) => id === chosenId) : undefined;
  const result = tab === 'results' ? results.items.find(({ id }) => id === chosenId) : undefined;
  const choose = () => {
    if (result) pick.mutate(result);
    if (photo) take(photo, `Фото «${photo.name}» выбрано`);
  };

  const choice = { chosenId, onChoose: setChosenId, isLocked: pick.isPending, isFiltered: isNarrowed(settled) };
  const filtering = {
    filter: typed,
    onChange: (part: Partial<ChoiceFilter>) => {
      setChosenId(null);
      setTyped((current) => ({ ...current, ...part }));
    },
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setChosenId(null);
        onOpenChange(next);
      }}
      title="Выбрать из галереи"
      canClose={!pick.isPending}
      footer={
        <>
          <Button variant="second" disabled={pick.isPending} onClick={() => onOpenChange(false)}>
            Отмена
          </Button>
          <Button
            disabledReason={describeObstacle(photo ?? result, tab, isOnline)}
            loading={pick.isPending}
            loadingText="Выбираем…"
            onClick={choose}
          >
            Выбрать
          </Button>
        </>
      }
    >
      <Tabs
        label="Откуда взять фото"
        value={tab}
        onChange={(next) => {
          setChosenId(null);
          setTab(next);
        }}
        tabs={[
          {
            value: 'photos',
            label: 'Мои фото',
            content: (
              <FilteredList label="Найти фото" hint="Имя файла или артикул" {...filtering}>
                <PhotoChoice list={photos.list} photos={photos.items} {...choice} />
              </FilteredList>
            ),
          },
          {
            value: 'results',
            label: 'Результаты',
            content: (
              <FilteredList label="Найти результат" hint="Артикул, название, инструмент" {...filtering}>
                <ResultChoice list={results.list} images={results.items} {...choice} />
              </FilteredList>
            ),
          },
        ]}
      />
    </Dialog>
  );
}

function useFailureToast(isFailed: boolean): void {
  useEffect(() => {
    if (isFailed) toast({ title: 'Ошибка', description: RESULT_CHOICE_TEXTS.loadFailed, tone: 'danger' });
  }, [isFailed]);
}

/** Why nothing can be taken over now; null when it can. */
function describeObstacle(chosen: object | undefined, tab: Tab, isOnline: boolean): string | null {
  // A result is made into a photo by the server.
  if (tab === 'results' && !isOnline) return 'Нет сети';
  return chosen ? null : 'Сначала выберите фото';
}

interface FilteredListProps extends FilterFieldsProps {
  children: ReactNode;
}

function FilteredList({ children, ...fields }: FilteredListProps) {
  const isOnline = useOnline();
  return (
    <div className="grid grid-cols-1 gap-4 mt-4">
      {isOnline ? (
        <FilterFields {...fields} />
      ) : (
        <p className="text-sm text-muted" role="status">
          {nb('Нет сети. Показано то, что сохранилось на устройстве.')}
        </p>
      )}
      {children}
    </div>
  );
}

interface FilterFieldsProps {
  label: string;
  /** What is searched. */
  hint: string;
  filter: ChoiceFilter;
  onChange: (part: Partial<ChoiceFilter>) => void;
}

/** The search and, for an account with products, the choice of one. */
function FilterFields({ label, hint, filter, onChange }: FilterFieldsProps) {
  const found = useInfiniteQuery(productsQuery(''));
  const products = found.data?.pages.flatMap((page) => page.products) ?? [];
  return (
    <div className="grid gap-2 sm:grid-flow-col sm:auto-cols-fr">
      <SearchField
        label={label}
        placeholder={hint}
        maxLength={SEARCH_MAX_LENGTH}
        value={filter.search}
        onChange={(search) => onChange({ search })}
        onClear={() => onChange({ search: '' })}
      />
      {products.length > 0 && (
        <select
          className="input min-w-0 truncate"
          aria-label="Товар"
          value={filter.product}
          onChange={({ target: { value } }) => {
            if (value === MORE_PRODUCTS) void found.fetchNextPage();
            else onChange({ product: value });
          }}
        >
          <option value="">Все товары</option>
          {products.map(({ id, article, name }) => (
            <option key={id} value={id}>
              {name === null ? article : `${article}, ${name}`}
            </option>
          ))}
          {found.hasNextPage && (
            <option value={MORE_PRODUCTS} disabled={found.isFetchingNextPage}>
              {found.isFetchingNextPage ? 'Загружаем…' : 'Показать ещё товары'}
            </option>
          )}
        </select>
      )}
    </div>
  );
}
