import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { callApi } from '#pwa/client/api-client.ts';
import { USER_DATA_STALE_MS } from '#pwa/client/query-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { nb } from '#pwa/format.ts';
import { type Batch, listBatches } from '#shared/contract/batches.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { batchPath } from '#shared/rules/result-links.ts';

/**
 * The batches that are the account's line of a tool and have not come to rest. There are several where try-ons of
 * several people wait. It is fetched again with the other batches.
 */
const lineQuery = (kind: GenerationKind) =>
  queryOptions({
    queryKey: [...QUERY_KEYS.batches, 'line', kind],
    queryFn: ({ signal }) => callApi(listBatches, { query: { lineOf: kind } }, { signal }),
    staleTime: USER_DATA_STALE_MS,
  });

export interface Line {
  waiting: number;
  running: number;
  /** What those that wait will cost together. */
  stars: number;
  isPaused: boolean;
  /** The page that shows it. */
  path: string;
}

/** What stands behind the running generation of a tool. Nothing while that is unknown. */
export function useLine(kind: GenerationKind): Line {
  const batches = useQuery(lineQuery(kind)).data?.batches ?? [];
  const sum = (count: (batch: Batch) => number) => batches.reduce((total, batch) => total + count(batch), 0);
  const [only, another] = batches;
  return {
    waiting: sum(({ counts }) => counts.waiting),
    running: sum(({ counts }) => counts.running),
    stars: sum(({ prices }) => prices.waiting.stars),
    isPaused: batches.some(({ pause }) => pause !== null),
    path: only && !another ? batchPath(only.id) : PATHS.batches,
  };
}

/** How many photos wait, with a link to them. Nothing is shown while the line is empty. */
export function LineNote({ line, className = '' }: { line: Line; className?: string }) {
  const text = describeLine(line);
  return (
    <p className={`num text-sm text-muted empty:hidden ${className}`} role="status">
      {text && (
        <>
          {nb(`${text}. `)}
          <Link className="link" to={line.path}>
            {nb('Открыть очередь')}
          </Link>
        </>
      )}
    </p>
  );
}

/** «В очереди: 2 фото, уже создаётся: 1» */
export function describeLine({ waiting, running, isPaused }: Omit<Line, 'stars' | 'path'>): string | null {
  const pause = isPaused ? ', на паузе' : '';
  if (waiting > 0) return `В очереди: ${waiting} фото${pause}${running > 0 ? `, уже создаётся: ${running}` : ''}`;
  return running > 0 ? `Из очереди создаётся: ${running} фото` : null;
}
