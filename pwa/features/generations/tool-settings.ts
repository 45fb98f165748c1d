import { queryOptions, useQuery } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { USER_DATA_STALE_MS } from '#pwa/client/query-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import type { EndpointAnswer } from '#shared/contract/endpoint.ts';
import { getToolSettings } from '#shared/contract/tool-settings.ts';
import type { SetKind } from '#shared/rules/setting-sets.ts';

type ToolSettings = EndpointAnswer<typeof getToolSettings>;
export type SettingsOf<Kind extends SetKind> = NonNullable<ToolSettings['last'][Kind]>;
export type SetOf<Kind extends SetKind> = { id: string; name: string; kind: Kind; settings: SettingsOf<Kind> };

/** The last settings of each tool and the named sets of the account. */
export const toolSettingsQuery = queryOptions({
  queryKey: QUERY_KEYS.toolSettings,
  queryFn: ({ signal }) => callApi(getToolSettings, undefined, { signal }),
  staleTime: USER_DATA_STALE_MS,
  meta: { persist: 'whole' },
});

/** The settings with which this tool was started last, on any device; null while unknown and when it never was. */
export function useLastSettings<Kind extends SetKind>(kind: Kind): SettingsOf<Kind> | null {
  return useQuery(toolSettingsQuery).data?.last[kind] ?? null;
}

/** The sets of this tool by name. Empty while unknown. */
export function useSettingSets<Kind extends SetKind>(kind: Kind): SetOf<Kind>[] {
  const sets: readonly SetOf<SetKind>[] = useQuery(toolSettingsQuery).data?.sets ?? [];
  return sets.filter((set): set is SetOf<Kind> => set.kind === kind);
}
