import { SearchX } from 'lucide-react';
import { EmptyState } from '#pwa/components/empty-state.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { nb } from '#pwa/format.ts';

/** What a list of photos or results is narrowed to. */
export interface ChoiceFilter {
  search: string;
  /** Id of a product. Empty for all. */
  product: string;
}

export interface ChoiceProps {
  chosenId: string | null;
  onChoose: (id: string) => void;
  isLocked: boolean;
  /** Whether the list is narrowed. */
  isFiltered: boolean;
}

export function isNarrowed({ search, product }: ChoiceFilter): boolean {
  return search !== '' || product !== '';
}

export const CHOICE_GRID = 'grid grid-cols-2 sm:grid-cols-3 gap-2';

export function LoadingChoice({ text }: { text: string }) {
  return (
    <div className={CHOICE_GRID} role="status">
      <span className="sr-only">{text}</span>
      {[1, 2, 3].map((key) => (
        <Skeleton key={key} className="aspect-[3/4]" />
      ))}
    </div>
  );
}

/** In place of a list that the search or the product leaves nothing of. */
export function NothingFound() {
  return (
    <div role="status">
      <EmptyState
        picture={<SearchX className="ic ic-l" />}
        title="Ничего не нашлось"
        text={nb('Проверьте слова поиска или выберите другой товар.')}
      />
    </div>
  );
}
