import { ArrowLeft, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { describeError } from '#pwa/client/api-error.ts';
import { ButtonLink } from '#pwa/components/button.tsx';
import { LoadMore } from '#pwa/components/load-more.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { ConfirmDeletion } from '#pwa/features/gallery/delete-dialog.tsx';
import { DeletedCard } from '#pwa/features/gallery/deleted-card.tsx';
import { type DeletedEntry, useDeletedItemActions, useDeletedItems } from '#pwa/features/gallery/deleted-items.ts';
import { titleEntry } from '#pwa/features/gallery/gallery-entries.ts';
import { keepFocus } from '#pwa/features/gallery/keep-focus.ts';
import { nb } from '#pwa/format.ts';
import { RECENTLY_DELETED } from '#pwa/messages.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import { DELETED_KEPT_DAYS } from '#shared/rules/retention.ts';

const KEPT = `${DELETED_KEPT_DAYS} ${pluralize(DELETED_KEPT_DAYS, ['день', 'дня', 'дней'])}`;
const GRID = 'grid grid-cols-1 min-[340px]:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4 gap-x-3 md:gap-x-4 gap-y-6';

/** The results that were deleted lately: each can be restored or removed for good. */
export default function DeletedPage() {
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useDeletedItems();
  const { busyIds, restore, removeNow } = useDeletedItemActions(() => keepFocus(heading));
  const [toRemove, setToRemove] = useState<DeletedEntry | null>(null);
  return (
    <>
      <Link className="back" to={PATHS.gallery}>
        <ArrowLeft className="ic ic-s" />В галерею
      </Link>
      <h1 ref={heading} className="ptitle" tabIndex={-1}>
        {RECENTLY_DELETED}
      </h1>
      <p className="text-muted mt-1 mb-6 max-w-[60ch]">
        {nb(`Изображения и видео хранятся здесь ${KEPT} после удаления, потом исчезают навсегда.`)}
      </p>
      {list.entries === null ? (
        <ListToCome list={list} />
      ) : list.entries.length === 0 && !list.hasMore ? (
        <NothingDeleted />
      ) : (
        <ul className={GRID}>
          {list.entries.map((entry) => (
            <li key={entry[0].id} className="min-w-0">
              <DeletedCard
                entry={entry}
                isBusy={entry.some(({ id }) => busyIds.has(id))}
                onRestore={() => restore(entry)}
                onRemove={() => setToRemove(entry)}
              />
            </li>
          ))}
        </ul>
      )}
      {list.entries && <LoadMore list={list} />}
      <ConfirmDeletion
        title={toRemove && 'Удалить навсегда?'}
        description={toRemove && describeRemoval(toRemove)}
        action="Удалить навсегда"
        onClose={() => setToRemove(null)}
        onConfirm={() => toRemove && removeNow(toRemove)}
      />
    </>
  );
}

function describeRemoval(entry: DeletedEntry): string {
  const title = titleEntry(entry);
  const [, another] = entry;
  return nb(
    another
      ? `Кадры «${title}» (${entry.length}) исчезнут сразу вместе с файлами. Вернуть их будет нельзя.`
      : `«${title}» исчезнет сразу вместе с файлом. Вернуть будет нельзя.`,
  );
}

function ListToCome({ list }: { list: ReturnType<typeof useDeletedItems> }) {
  if (list.error && !list.isFetching) {
    return (
      <RetryNotice title="Не удалось загрузить удалённые результаты" onRetry={list.retry}>
        {describeError(list.error, 'Пожалуйста, попробуйте позже')}
      </RetryNotice>
    );
  }
  return (
    <div role="status">
      <p className="sr-only">Загружаем удалённые результаты…</p>
      <div className={GRID} aria-hidden="true">
        {[1, 2, 3, 4].map((key) => (
          <Skeleton key={key} className="aspect-[3/4]" />
        ))}
      </div>
    </div>
  );
}

function NothingDeleted() {
  return (
    <div className="grid place-items-center text-center py-10 md:py-14">
      <div className="drop w-24 aspect-[3/4] grid place-items-center" aria-hidden="true">
        <Trash2 className="ic ic-l" />
      </div>
      <h2 className="display text-d3 mt-8">Удалённого нет</h2>
      <p className="text-muted mt-2 max-w-[36ch]">
        {nb('Если удалить изображение или видео из галереи, его можно будет вернуть отсюда.')}
      </p>
      <ButtonLink to={PATHS.gallery} className="mt-6">
        Открыть галерею
      </ButtonLink>
    </div>
  );
}
