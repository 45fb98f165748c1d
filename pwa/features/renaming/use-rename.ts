import { useQueryClient } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import { RENAMED_MAX, renameResults } from '#shared/contract/gallery.ts';

/** What shows names of results. */
const WITH_NAMES = [
  QUERY_KEYS.gallery,
  QUERY_KEYS.videos,
  QUERY_KEYS.results,
  QUERY_KEYS.generation,
  QUERY_KEYS.deletedItems,
];

interface Renaming {
  ids: readonly string[];
  /** A name, or a template of names. Null gives the usual names back. */
  title: string | null;
}

/**
 * Names results. More than the server takes at once are sent in several calls: after a failure the same renaming can be
 * sent again.
 */
export function useRename(onRenamed: () => void) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    async mutationFn({ ids, title }: Renaming) {
      for (let from = 0; from < ids.length; from += RENAMED_MAX) {
        await callApi(renameResults, { body: { ids: ids.slice(from, from + RENAMED_MAX), title } });
      }
    },
    onSuccess: onRenamed,
    onSettled: () => {
      for (const queryKey of WITH_NAMES) void queryClient.invalidateQueries({ queryKey });
    },
  });
}
