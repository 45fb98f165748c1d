import { useQueryClient } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { CHANGED_BY } from '#pwa/client/query-keys.ts';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import { renameResults } from '#shared/contract/gallery.ts';

interface Renaming {
  ids: readonly string[];
  /** A name, or a template of names. Null gives the usual names back. */
  title: string | null;
}

/** Names results: at most RENAMED_MAX, which a selection holds at most. */
export function useRename(onRenamed: () => void) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: ({ ids, title }: Renaming) => callApi(renameResults, { body: { ids: [...ids], title } }),
    onSuccess: onRenamed,
    onSettled: () => {
      for (const queryKey of CHANGED_BY.naming) void queryClient.invalidateQueries({ queryKey });
    },
  });
}
