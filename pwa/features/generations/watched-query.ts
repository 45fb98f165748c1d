import type { QueryObserverOptions } from '@tanstack/react-query';
import { hasConnection } from '#pwa/device/connection.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import { isFinal } from '#shared/rules/generation-lifecycle.ts';
import { describeFollowed, type FollowingTool, isAskedByItself, isStalled, type Watch } from './followed-generation.ts';
import {
  type GenerationQueryState,
  generationQuery,
  type KnownGeneration,
  pauseBeforeNext,
} from './generation-query.ts';

/** When the tab becomes visible again, the page asks at once, but not more often than this. */
const RETURN_MIN_PAUSE_MS = 2000;

/** The query of the generation that a tool's page follows, asked at once and on the tool's terms. */
export function watchedQuery<Subject, View extends GenerationView>(
  tool: FollowingTool<Subject, View>,
  watch: Watch<Subject>,
): QueryObserverOptions<KnownGeneration, Error, KnownGeneration, KnownGeneration, string[]> {
  const describe = ({ state }: { state: GenerationQueryState }) => describeFollowed(tool, watch, state);
  return {
    ...generationQuery(watch.generationId),
    enabled: (query) => hasConnection() && describe(query).step !== 'critical_error',
    refetchOnMount: 'always',
    refetchInterval(query) {
      const { step, status, view } = describe(query);
      // The details of an end that the answer to the start has named are asked for once.
      const isDone = isStalled(step) || (isFinal(status) && !view);
      return isDone || !query.state.data ? false : pauseBeforeNext(tool.kind, query.state.data);
    },
    refetchIntervalInBackground: true,
    refetchOnReconnect: (query) => (isAskedByItself(describe(query)) ? 'always' : false),
    // The pauses after failures are not shortened.
    refetchOnWindowFocus: (query) => isAskedByItself(describe(query)) && describe(query).failuresInARow === 0,
    staleTime: RETURN_MIN_PAUSE_MS,
  };
}
