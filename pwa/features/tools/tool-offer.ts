import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { getToolOffer, TOOL_OBSTACLES, type ToolObstacle, type ToolOffer } from '#shared/contract/tools.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';

/** It may change from minute to minute. */
const STALE_MS = 15_000;
/** While something cannot be started, this often is asked whether it can be again. */
const OBSTACLE_CHECK_MS = 30_000;

/** What this account can start right now. */
export const toolOfferQuery = queryOptions({
  queryKey: QUERY_KEYS.toolOffer,
  queryFn: ({ signal }): Promise<ToolOffer> => callApi(getToolOffer, undefined, { signal }),
  staleTime: STALE_MS,
  refetchOnWindowFocus: true,
  refetchInterval: ({ state }) => (state.data?.tools.some(isObstructed) ? OBSTACLE_CHECK_MS : false),
  meta: { persist: 'whole' },
});

type OfferedTool = ToolOffer['tools'][number];

/** Whether a tool waits for an obstacle to go. A tool that is not offered at all does not come back by itself. */
function isObstructed({ isOffered, obstacle }: OfferedTool): boolean {
  return isOffered && obstacle !== null;
}

/** Why this tool cannot be started now. Null when it can, or while that is unknown. */
export function useObstacle(kind: GenerationKind): ToolObstacle | null {
  return useOfferedTool(kind)?.obstacle ?? null;
}

/** Whether this tool sends photos abroad. */
export function useIsAbroad(kind: GenerationKind): boolean {
  return useOfferedTool(kind)?.photosTravel === 'abroad';
}

/** Whether a stand-in works in place of this tool's engine. */
export function useIsDemonstration(kind: GenerationKind): boolean {
  return useOfferedTool(kind)?.isDemonstration ?? false;
}

function useOfferedTool(kind: GenerationKind): OfferedTool | null {
  return useQuery(toolOfferQuery).data?.tools.find((tool) => tool.kind === kind) ?? null;
}

/** A refused start tells of an obstacle before the next question does. */
export function noteRefusal(
  queryClient: QueryClient,
  kind: GenerationKind,
  { code, message }: { code: string | null; message: string },
): void {
  const known = TOOL_OBSTACLES.find((one) => one === code);
  if (!known) return;
  queryClient.setQueryData(toolOfferQuery.queryKey, (offer) => {
    const obstacle = { code: known, message };
    return offer && { ...offer, tools: offer.tools.map((tool) => (tool.kind === kind ? { ...tool, obstacle } : tool)) };
  });
  if (known === 'tool_not_offered') void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.tools });
}
