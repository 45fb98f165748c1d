import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { describeError } from '#pwa/client/api-error.ts';
import { Button } from '#pwa/components/button.tsx';
import { ListAge } from '#pwa/components/list-age.tsx';
import { LoadMore } from '#pwa/components/load-more.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import {
  type GalleryEntry,
  groupFrames,
  type Headings,
  splitIntoSections,
} from '#pwa/features/gallery/gallery-entries.ts';
import type { GalleryList } from '#pwa/features/gallery/gallery-lists.ts';
import { GallerySkeleton } from '#pwa/features/gallery/gallery-notes.tsx';
import { GALLERY_TEXTS } from '#pwa/features/gallery/gallery-texts.ts';
import { keepFocus } from '#pwa/features/gallery/keep-focus.ts';
import type { CardActions } from '#pwa/features/gallery/result-card.tsx';
import { ResultGrid } from '#pwa/features/gallery/result-grid.tsx';
import { type Selection, SelectionBar } from '#pwa/features/gallery/selection.tsx';
import { useDeletion } from '#pwa/features/gallery/use-deletion.ts';
import { useHeldBack } from '#pwa/features/gallery/use-held-back.ts';
import { useSeenResults } from '#pwa/features/notifications/use-seen-results.ts';
import { nb } from '#pwa/format.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import { GalleryViewer } from './gallery-viewer.tsx';
import { ResultDialogs, useResultDialogs } from './result-dialogs.tsx';

export interface ResultBrowserProps {
  list: GalleryList;
  /** Tells lists apart: another one starts at its own top. */
  listKey: string;
  /** How often it was refreshed by a press, which shows also what is new. */
  refreshes: number;
  headings: Headings;
  selection: Selection;
  /** The id of the picture in the viewer, and its setter. */
  viewed: readonly [id: string | null, view: (id: string | null) => void];
  /** Gets the focus when the card that had it is gone. */
  heading: RefObject<HTMLElement | null>;
  /** Stands after the first row. */
  banner?: ReactNode;
  /** Stands for a list without results. */
  empty: ReactNode;
  onRefresh: () => void;
}

/** A list of results in all its states, with everything that can be done with one or with many. */
export function ResultBrowser({
  list,
  listKey,
  refreshes,
  headings,
  selection,
  viewed: [viewedId, view],
  heading,
  banner,
  empty,
  onRefresh,
}: ResultBrowserProps) {
  const deletion = useDeletion((removed) => {
    selection.drop(removed);
    keepFocus(heading);
  });
  const there = useMemo(
    () => list.items?.filter(({ id }) => !deletion.hiddenIds.has(id)) ?? null,
    [list.items, deletion.hiddenIds],
  );
  const { items, newCount, showNew } = useHeldBack(there, `${listKey}/${refreshes}`, list.isFetching);
  useSeenResults(useMemo(() => items?.map(({ generationId }) => generationId) ?? [], [items]));
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const entries = useMemo(() => groupFrames(items ?? [], unfolded), [items, unfolded]);
  const sections = useMemo(() => splitIntoSections(entries, headings), [entries, headings]);
  const shown = useMemo(() => sections.flatMap((section) => section.entries), [sections]);
  const dialogs = useResultDialogs();
  const actions = useCardActions({ dialogs, view, selection, shown });
  const chosen = [...(selection.chosen?.values() ?? [])];

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
      <ListAge list={list} onRefresh={onRefresh} />
      {newCount > 0 && (
        <NewResults
          count={newCount}
          onShow={() => {
            showNew();
            scrollTo({ top: 0 });
          }}
        />
      )}
      {items.length === 0 && !list.hasMore ? (
        empty
      ) : (
        <ResultGrid
          key={listKey}
          sections={sections}
          headings={headings}
          actions={actions}
          banner={banner}
          deletingIds={deletion.deletingIds}
          chosen={selection.chosen}
        />
      )}
      <LoadMore list={list} />
      {selection.chosen && (
        <SelectionBar
          items={chosen}
          onAll={() => selection.addAll(shown)}
          onPacks={() => dialogs.pack(chosen)}
          onArticle={() => dialogs.assign(chosen)}
          onRename={() => dialogs.rename(chosen)}
          onDelete={() => dialogs.askToDelete(chosen)}
          onCancel={selection.end}
        />
      )}
      <GalleryViewer
        items={shown.flat()}
        viewedId={viewedId}
        onView={view}
        onDelete={(item) => dialogs.askToDelete([item])}
        onCheck={dialogs.compare}
        onReport={dialogs.report}
        fetchMore={list.fetchMore}
      />
      <ResultDialogs
        dialogs={dialogs}
        onDelete={deletion.remove}
        onSelect={(entry) => selection.toggle(entry, false, shown)}
        onUnfold={([{ generationId }]) => setUnfolded((now) => toggled(now, generationId))}
        onChanged={selection.end}
      />
    </>
  );
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return ids.has(id) ? new Set([...ids].filter((other) => other !== id)) : new Set([...ids, id]);
}

interface CardSubjects {
  dialogs: ReturnType<typeof useResultDialogs>;
  view: (id: string) => void;
  selection: Selection;
  shown: readonly GalleryEntry[];
}

/** The actions of the cards, as one object for good, so that cards are not rendered again. */
function useCardActions(subjects: CardSubjects): CardActions {
  const latest = useRef(subjects);
  useEffect(() => {
    latest.current = subjects;
  });
  return useMemo(
    () => ({
      onOpen: ([item]) => (item.kind === 'image' ? latest.current.view(item.id) : latest.current.dialogs.play(item)),
      onMore: (entry) => latest.current.dialogs.openMore(entry),
      onSelect: (entry, isRange) => latest.current.selection.toggle(entry, isRange, latest.current.shown),
    }),
    [],
  );
}

/** Offers results that have come meanwhile, so that they do not push away what somebody looks at. */
function NewResults({ count, onShow }: { count: number; onShow: () => void }) {
  const results = pluralize(count, ['новый результат', 'новых результата', 'новых результатов']);
  return (
    <div className="sticky z-10 top-[calc(var(--bar-h,0px)+var(--header-h)+var(--safe-t)+8px)] grid justify-items-center h-0 overflow-visible">
      <Button variant="second" size="sm" className="!bg-surface h-11 shadow-[var(--shadow-pop)]" onClick={onShow}>
        <span role="status">{nb(`Показать ${count} ${results}`)}</span>
      </Button>
    </div>
  );
}
