import { RotateCw, Trash2 } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { describeError } from '#pwa/client/api-error.ts';
import { Button, ButtonLink } from '#pwa/components/button.tsx';
import { HomeLink } from '#pwa/components/home-link.tsx';
import { ListAge } from '#pwa/components/list-age.tsx';
import { LoadMore } from '#pwa/components/load-more.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Tabs } from '#pwa/components/tabs.tsx';
import { toast } from '#pwa/components/toast.ts';
import { LinkedDownload } from '#pwa/features/downloads/linked-download.tsx';
import { GalleryFilters } from '#pwa/features/gallery/gallery-filters.tsx';
import type { GalleryItem } from '#pwa/features/gallery/gallery-item.ts';
import { type GalleryList, useImageList, useVideoList } from '#pwa/features/gallery/gallery-lists.ts';
import { EmptyGallery, GallerySkeleton, UnlockBanner } from '#pwa/features/gallery/gallery-notes.tsx';
import { GallerySwitch } from '#pwa/features/gallery/gallery-switch.tsx';
import { findFirstTab, type GalleryTab } from '#pwa/features/gallery/gallery-tab.ts';
import { GALLERY_TEXTS } from '#pwa/features/gallery/gallery-texts.ts';
import { keepFocus } from '#pwa/features/gallery/keep-focus.ts';
import { ResultGrid } from '#pwa/features/gallery/result-grid.tsx';
import { SelectionBar, useSelection } from '#pwa/features/gallery/selection.tsx';
import { useDeletion } from '#pwa/features/gallery/use-deletion.ts';
import { useSeenResults } from '#pwa/features/notifications/use-seen-results.ts';
import { RECENTLY_DELETED } from '#pwa/messages.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { useGalleryAddress } from './gallery-page/gallery-address.ts';
import { GalleryViewer, useViewedPicture } from './gallery-page/gallery-viewer.tsx';
import { ResultDialogs, useCardActions, useResultDialogs } from './gallery-page/result-dialogs.tsx';

/** The gallery of results: images and videos. */
export default function GalleryPage() {
  const [viewedId, setViewedId] = useViewedPicture();
  const address = useGalleryAddress();
  const { filter, setFilter } = address;
  const images = useImageList(filter);
  const canDownload = images.canDownloadOriginals ?? false;
  const { tab, isTabKnown, setTab, videos } = useTab(address, images, canDownload, viewedId !== null);
  const list = tab === 'images' ? images : videos;

  const heading = useRef<HTMLHeadingElement>(null);
  const selection = useSelection();
  const deletion = useDeletion((item) => {
    selection.drop(item);
    keepFocus(heading);
  });
  const items = useMemo(
    () => (isTabKnown && list.items?.filter(({ id }) => !deletion.hiddenIds.has(id))) || null,
    [isTabKnown, list.items, deletion.hiddenIds],
  );
  useSeenResults(items?.map(({ generationId }) => generationId) ?? []);
  const dialogs = useResultDialogs();
  const actions = useCardActions(dialogs, setViewedId, selection.toggle);
  useFailureToast(list.error !== null && !list.isFetching && items === null);

  const emptyKind = tab === 'videos' ? 'video' : filter.type === null ? 'image' : 'filtered';
  const content = (
    <>
      {(items === null || items.length > 0 || emptyKind === 'filtered') && (
        <GalleryFilters
          filter={tab === 'images' ? filter : null}
          onFilter={setFilter}
          isSelecting={selection.ids !== null}
          onSelect={selection.ids === null ? selection.begin : selection.end}
        />
      )}
      <Results list={list} items={items} emptyKind={emptyKind}>
        {items && (
          <ResultGrid
            // Another list starts at its own top.
            key={`${tab}/${filter.type}/${filter.sort}`}
            items={items}
            deletingId={deletion.deletingId}
            selectedIds={selection.ids}
            actions={actions}
          />
        )}
      </Results>
    </>
  );
  return (
    <>
      <GalleryHeading ref={heading} list={list} isShown={items !== null} />
      <div className="max-lg:mb-4">
        <GallerySwitch />
      </div>
      {images.canDownloadOriginals === false && <UnlockBanner />}
      <Tabs
        value={tab}
        onChange={setTab}
        label="Что показать"
        className="md:w-fit md:[&>*]:px-6"
        tabs={[
          { value: 'images', label: 'Изображения', content },
          { value: 'videos', label: 'Видео', content },
        ]}
      />
      {selection.ids && <SelectionBar items={selection.items} onCancel={selection.end} />}
      <GalleryViewer
        {...{ items, viewedId }}
        onView={setViewedId}
        onDelete={actions.onDelete}
        {...{ onCheck: dialogs.compare, onReport: dialogs.report }}
        fetchMore={images.fetchMore}
      />
      <ResultDialogs dialogs={dialogs} actions={actions} onDelete={deletion.remove} />
      <LinkedDownload />
    </>
  );
}

function useFailureToast(isLoadFailed: boolean): void {
  useEffect(() => {
    if (isLoadFailed) showFailureToast();
  }, [isLoadFailed]);
}

function showFailureToast(): void {
  toast({ title: 'Ошибка', description: GALLERY_TEXTS.loadFailed, tone: 'danger' });
}

/** Refreshes by a press. A failure is a toast beside the list; without a list the page shows it in its place. */
async function refreshAsked({ items, refresh }: GalleryList): Promise<void> {
  const { isError } = await refresh();
  if (isError && items !== null) showFailureToast();
}

interface GalleryHeadingProps {
  ref: RefObject<HTMLHeadingElement | null>;
  list: GalleryList;
  /** Whether a list is shown that can be refreshed. */
  isShown: boolean;
}

function GalleryHeading({ ref, list, isShown }: GalleryHeadingProps) {
  return (
    <>
      <HomeLink />
      <div className="flex flex-wrap items-center justify-between gap-3 mb-5">
        <h1 ref={ref} className="ptitle" tabIndex={-1}>
          Галерея
        </h1>
        <div className="flex flex-wrap gap-2">
          <ButtonLink
            variant="quiet"
            size="sm"
            className="max-md:-ml-[14px]"
            to={PATHS.deleted}
            icon={<Trash2 className="ic ic-s" />}
          >
            {RECENTLY_DELETED}
          </ButtonLink>
          <Button
            variant="second"
            size="sm"
            icon={<RotateCw className="ic ic-s" />}
            loading={list.isFetching && !list.isFetchingMore && isShown}
            loadingText="Обновляем…"
            onClick={() => void refreshAsked(list)}
          >
            Обновить
          </Button>
        </div>
      </div>
    </>
  );
}

/**
 * The shown tab: the one that the person chose, which the address names, or the first one with results. It then stays,
 * even if all its results are deleted.
 */
function useTab(
  { tab: named, setTab }: Pick<ReturnType<typeof useGalleryAddress>, 'tab' | 'setTab'>,
  images: GalleryList,
  canDownload: boolean,
  isPictureLinked: boolean,
) {
  const [settled, settle] = useState<GalleryTab | null>(null);
  const chosen = named ?? settled;
  const areImagesEmpty = images.items?.length === 0 && !images.isFetching;
  const videos = useVideoList(canDownload, chosen === 'videos' || (chosen === null && areImagesEmpty));
  const first = isPictureLinked ? 'images' : findFirstTab(images, videos);
  useEffect(() => settle((now) => now ?? first), [first]);
  const tab = chosen ?? first;
  return { tab: tab ?? 'images', isTabKnown: tab !== null, setTab, videos } as const;
}

interface ResultsProps {
  list: GalleryList;
  items: GalleryItem[] | null;
  emptyKind: 'image' | 'video' | 'filtered';
  /** The grid of results. */
  children: React.ReactNode;
}

/** A list in all its states. Without a network the last known results stay visible. */
function Results({ list, items, emptyKind, children }: ResultsProps) {
  if (items === null) {
    if (!list.error || list.isFetching) return <GallerySkeleton />;
    return (
      <RetryNotice title={GALLERY_TEXTS.loadFailed} onRetry={() => void list.refresh()}>
        {describeError(list.error, 'Пожалуйста, попробуйте позже')}
      </RetryNotice>
    );
  }
  return (
    <>
      <ListAge list={list} onRefresh={() => void refreshAsked(list)} />
      {items.length === 0 && !list.hasMore ? <EmptyGallery kind={emptyKind} /> : children}
      <LoadMore list={list} />
    </>
  );
}
