import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Button } from '#pwa/components/button.tsx';

/** The button that loads the next page of a list in a dialog. */
export function MorePhotos({
  list: { hasNextPage, isFetchingNextPage, fetchNextPage },
}: {
  list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
}) {
  if (!hasNextPage) return null;
  return (
    <Button
      variant="second"
      size="sm"
      wide
      className="mt-3"
      loading={isFetchingNextPage}
      loadingText="Загружаем…"
      onClick={() => void fetchNextPage()}
    >
      Показать ещё
    </Button>
  );
}
