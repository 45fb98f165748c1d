import { type ReactNode, useId } from 'react';
import { nb } from '#pwa/format.ts';
import { NEW_RESULTS_MAX } from '#shared/contract/notifications.ts';
import { PATHS, type Path } from '#shared/rules/app-paths.ts';
import { countNewResults, useNewResults } from './unseen-results.ts';

export interface NewsMark {
  /** The number, to be put into the link; null where nothing is new. */
  mark: ReactNode;
  /** For the link's `aria-describedby`. */
  descriptionId: string | undefined;
}

/** Marks links of the navigation to results that nobody has seen. Returns what marks the link to a path. */
export function useNewsMarks(): (path: Path) => NewsMark {
  const id = useId();
  const count = useNewResults().length;
  return (path) => {
    if (path !== PATHS.gallery || count === 0) return { mark: null, descriptionId: undefined };
    const mark = (
      <>
        <span className="news num" aria-hidden="true">
          {count < NEW_RESULTS_MAX ? count : `${NEW_RESULTS_MAX - 1}+`}
        </span>
        {/* Only the description, so that the link keeps its name. */}
        <span id={id} hidden>
          {nb(countNewResults(count))}
        </span>
      </>
    );
    return { mark, descriptionId: id };
  };
}
