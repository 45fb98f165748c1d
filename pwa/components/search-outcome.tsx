import { SearchX } from 'lucide-react';
import { nb } from '#pwa/format.ts';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

export interface SearchOutcomeProps {
  words: string;
  /** How many are shown so far. */
  count: number;
  hasMore: boolean;
  /** What to try when nothing was found. */
  hint: string;
  onClear: () => void;
}

/** Says above a list what it was searched for and how much was found, with a button that shows all again. */
export function SearchOutcome({ words, count, hasMore, hint, onClear }: SearchOutcomeProps) {
  if (count === 0 && !hasMore) {
    return (
      <div role="status">
        <EmptyState
          picture={<SearchX className="ic ic-l" />}
          title={nb(`По запросу «${words}» ничего не нашлось`)}
          text={nb(hint)}
          action={
            <Button variant="second" onClick={onClear}>
              Показать всё
            </Button>
          }
        />
      </div>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-x-2 mb-3 text-sm text-muted">
      <p role="status" className="[overflow-wrap:anywhere]">
        {nb(count === 0 ? `Ищем «${words}»…` : `По запросу «${words}» найдено: ${hasMore ? `больше ${count}` : count}`)}
      </p>
      <Button variant="quiet" size="sm" onClick={onClear}>
        Показать всё
      </Button>
    </div>
  );
}
