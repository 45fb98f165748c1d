import { useQuery } from '@tanstack/react-query';
import { ListChecks, RotateCw, Search, SlidersHorizontal, Trash2 } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { premiumStatusQuery } from '#pwa/client/premium-status-query.ts';
import { Button, ButtonLink } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { HomeLink } from '#pwa/components/home-link.tsx';
import { IconButton } from '#pwa/components/icon-button.tsx';
import { SearchField } from '#pwa/components/search-field.tsx';
import { SearchOutcome } from '#pwa/components/search-outcome.tsx';
import { Tabs } from '#pwa/components/tabs.tsx';
import { toast } from '#pwa/components/toast.ts';
import { useMediaQuery } from '#pwa/device/use-media-query.ts';
import { type SearchWords, useSearchWords } from '#pwa/device/use-search-words.ts';
import { LinkedDownload } from '#pwa/features/downloads/linked-download.tsx';
import { type GalleryList, useImageList, useResultList, useVideoList } from '#pwa/features/gallery/gallery-lists.ts';
import { EmptyGallery, UnlockBanner } from '#pwa/features/gallery/gallery-notes.tsx';
import { GallerySwitch } from '#pwa/features/gallery/gallery-switch.tsx';
import { GALLERY_TEXTS } from '#pwa/features/gallery/gallery-texts.ts';
import { type Selection, useSelection } from '#pwa/features/gallery/selection.tsx';
import { ViewOptions } from '#pwa/features/gallery/view-options.tsx';
import { RECENTLY_DELETED } from '#pwa/messages.ts';
import { SEARCH_MAX_LENGTH } from '#shared/contract/ids.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { useGalleryAddress } from './gallery-page/gallery-address.ts';
import { useViewedPicture } from './result-browser/gallery-viewer.tsx';
import { ResultBrowser } from './result-browser/result-browser.tsx';

/** The gallery of results: images and videos. */
export default function GalleryPage() {
  const isWide = useMediaQuery('(width >= 64rem)');
  const viewed = useViewedPicture();
  const { tab, setTab, filter, setFilter, headings, setHeadings } = useGalleryAddress();
  const search = useSearchWords();
  const [isSearchOpen, setIsSearchOpen] = useState(search.isBegun || search.words !== '');
  const { list, results, canDownload } = useShownList({ tab, filter, words: search.words });
  const { refreshes, refresh } = useRefreshes(list);
  const heading = useRef<HTMLHeadingElement>(null);
  const selection = useSelection();
  const isSearched = tab === 'all' && search.words !== '';
  const isEmpty = list.items?.length === 0 && !list.hasMore;
  const canFilter = !isEmpty || isSearched || (tab === 'images' && filter.type !== null);
  const options = canFilter && (
    <ViewOptions
      filter={filter}
      headings={headings}
      onFilter={setFilter}
      onHeadings={setHeadings}
      hasTypes={tab === 'images'}
      hasOrder={tab !== 'videos'}
    />
  );
  const banner = canDownload === false && <UnlockBanner />;
  const searchField = (
    <SearchField
      value={search.text}
      onChange={(text) => {
        if (tab !== 'all') setTab('all');
        search.setText(text);
      }}
      onClear={search.clear}
      {...SEARCH_TEXTS}
      takesFocus={!isWide || search.isBegun}
      maxLength={SEARCH_MAX_LENGTH}
    />
  );
  const content = (
    <>
      {isSearched && <Found list={results} search={search} />}
      <div className="mt-1 lg:mt-3" aria-busy={(tab === 'all' && results.isPrevious) || undefined}>
        <ResultBrowser
          list={list}
          listKey={[tab, filter.type, filter.sort, isSearched ? search.words : '', headings].join('/')}
          refreshes={refreshes}
          headings={headings}
          selection={selection}
          viewed={viewed}
          heading={heading}
          banner={banner}
          empty={
            !isSearched && (
              <>
                <EmptyGallery kind={tab === 'images' && filter.type !== null ? 'filtered' : EMPTY_KINDS[tab]} />
                {banner}
              </>
            )
          }
          onRefresh={() => void refresh()}
        />
      </div>
    </>
  );
  return (
    <>
      <GalleryHead ref={heading} isWide={isWide}>
        {isWide && <div className="w-full max-w-sm ml-auto">{searchField}</div>}
        <RefreshButton list={list} isWide={isWide} onPress={() => void refresh()} />
        {isWide ? <DeletedLink /> : <MoreButton options={options} selection={selection} />}
      </GalleryHead>
      <Tabs
        value={tab}
        onChange={(next) => {
          search.dropTyped();
          setTab(next);
        }}
        label="Что показать"
        className="max-lg:flex-1 max-lg:basis-0 auto-cols-auto [&>*]:px-2 lg:[&>*]:px-5 lg:mr-3"
        beside={
          isWide ? (
            options && <WideOptions options={options} selection={selection} />
          ) : (
            <IconButton
              label="Поиск"
              aria-expanded={isSearchOpen}
              onClick={() => {
                if (isSearchOpen) search.clear();
                setIsSearchOpen(!isSearchOpen);
              }}
            >
              <Search className="ic" />
            </IconButton>
          )
        }
        below={!isWide && isSearchOpen && <div className="mt-2">{searchField}</div>}
        tabs={[
          { value: 'all', label: 'Все', content },
          { value: 'images', label: 'Изображения', content },
          { value: 'videos', label: 'Видео', content },
        ]}
      />
      <LinkedDownload />
    </>
  );
}

const SEARCH_TEXTS = { label: 'Поиск по галерее', placeholder: 'Артикул, название, инструмент' };
const EMPTY_KINDS = { all: 'image', images: 'image', videos: 'video' } as const;

interface ShownListOptions extends Pick<ReturnType<typeof useGalleryAddress>, 'tab' | 'filter'> {
  words: string;
}

/** The list of the open tab, the one that is searched, and whether originals may be downloaded: null while unknown. */
function useShownList({ tab, filter, words }: ShownListOptions) {
  const results = useResultList({ product: null, search: words, sort: filter.sort }, tab === 'all');
  const images = useImageList(filter, tab === 'images');
  const premium = useQuery({ ...premiumStatusQuery, enabled: tab === 'videos' });
  const hasPaid = premium.data?.hasSuccessfulTransactions ?? null;
  const videos = useVideoList(hasPaid ?? false, tab === 'videos');
  const list: GalleryList = { all: results, images, videos }[tab];
  const canDownload = { all: results.canDownloadOriginals, images: images.canDownloadOriginals, videos: hasPaid }[tab];
  return { list, results, canDownload };
}

/** Fetches the list again, and counts how often. A failure is a toast; without a list it is shown in its place, too. */
function useRefreshes(list: GalleryList): { refreshes: number; refresh: () => Promise<void> } {
  const [refreshes, setRefreshes] = useState(0);
  const isLoadFailed = list.error !== null && !list.isFetching && list.items === null;
  useEffect(() => {
    if (isLoadFailed) showFailureToast();
  }, [isLoadFailed]);
  const refresh = async () => {
    const { isError } = await list.refresh();
    if (isError && list.items !== null) showFailureToast();
    setRefreshes(refreshes + 1);
  };
  return { refreshes, refresh };
}

function showFailureToast(): void {
  toast({ title: 'Ошибка', description: GALLERY_TEXTS.loadFailed, tone: 'danger' });
}

interface FoundProps {
  list: ReturnType<typeof useResultList>;
  search: SearchWords;
}

/** What the search has found, once it is known. */
function Found({ list: { items, hasMore, isPrevious }, search: { words, clear } }: FoundProps) {
  if (items === null || isPrevious) return null;
  return (
    <div className="mt-3">
      <SearchOutcome
        words={words}
        hasMore={hasMore}
        count={items.length}
        hint="Ищите по артикулу, названию или инструменту: «видео», «фотосессия»."
        onClear={clear}
      />
    </div>
  );
}

interface GalleryHeadProps {
  ref: RefObject<HTMLHeadingElement | null>;
  isWide: boolean;
  /** Actions at the right end. */
  children: ReactNode;
}

/** On a phone one low row, so that the pictures begin near the top. */
function GalleryHead({ ref, isWide, children }: GalleryHeadProps) {
  const title = (
    <h1 ref={ref} className={isWide ? 'ptitle' : 'sr-only'} tabIndex={-1}>
      Галерея
    </h1>
  );
  if (isWide) {
    return (
      <>
        <HomeLink />
        <div className="flex items-center gap-2 mb-5">
          {title}
          {children}
        </div>
      </>
    );
  }
  return (
    <div className="flex max-[24rem]:flex-wrap items-center gap-1 -mt-[14px] -mx-[12px] mb-1" data-top-controls>
      <HomeLink isIcon />
      {title}
      <div className="flex-1 min-w-0 max-[24rem]:order-last max-[24rem]:basis-full">
        <GallerySwitch />
      </div>
      {children}
    </div>
  );
}

interface RefreshButtonProps {
  list: GalleryList;
  isWide: boolean;
  onPress: () => void;
}

function RefreshButton({ list, isWide, onPress }: RefreshButtonProps) {
  const isRefreshing = list.isFetching && !list.isFetchingMore && list.items !== null;
  if (!isWide) {
    return (
      <IconButton label="Обновить" aria-busy={isRefreshing || undefined} onClick={onPress}>
        <RotateCw className={`ic ${isRefreshing ? 'animate-spin' : ''}`} />
      </IconButton>
    );
  }
  return (
    <Button
      variant="second"
      size="sm"
      icon={<RotateCw className="ic ic-s" />}
      loading={isRefreshing}
      loadingText="Обновляем…"
      onClick={onPress}
    >
      Обновить
    </Button>
  );
}

function WideOptions({ options, selection }: { options: ReactNode; selection: Selection }) {
  return (
    <div className="flex flex-wrap items-center gap-2 flex-1">
      {options}
      <SelectButton selection={selection} className="ml-auto" />
    </div>
  );
}

function SelectButton({ selection, className }: { selection: Selection; className: string }) {
  const isSelecting = selection.chosen !== null;
  return (
    <Button
      variant="quiet"
      size="sm"
      className={className}
      icon={<ListChecks className="ic ic-s" />}
      aria-pressed={isSelecting}
      onClick={isSelecting ? selection.end : selection.begin}
    >
      Выбрать
    </Button>
  );
}

function DeletedLink({ className = '' }: { className?: string }) {
  return (
    <ButtonLink
      variant="quiet"
      size="sm"
      className={className}
      to={PATHS.deleted}
      icon={<Trash2 className="ic ic-s" />}
    >
      {RECENTLY_DELETED}
    </ButtonLink>
  );
}

/** A sheet with what has no room in the head of a phone. */
function MoreButton({ options, selection }: { options: ReactNode; selection: Selection }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <IconButton label="Вид и выбор" onClick={() => setIsOpen(true)}>
        <SlidersHorizontal className="ic" />
      </IconButton>
      <Dialog open={isOpen} onOpenChange={setIsOpen} title="Вид и выбор" size="sm">
        <div className="grid gap-2">
          {options}
          {options && (
            <SelectButton
              className="justify-start"
              selection={{
                ...selection,
                begin() {
                  setIsOpen(false);
                  selection.begin();
                },
              }}
            />
          )}
          <DeletedLink className="justify-start" />
        </div>
      </Dialog>
    </>
  );
}
