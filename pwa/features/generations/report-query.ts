import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import type { ReportState } from '#shared/contract/report-state.ts';
import { getResultReport, reportResult } from '#shared/contract/result-reports.ts';
import type { ReportReason } from '#shared/rules/result-reports.ts';

/** The complaint about a result. `known`: what the server has said of it; undefined asks the server if `mayAsk`. */
export function useReport(itemId: string, known: ReportState | null | undefined, mayAsk: boolean) {
  return useQuery({
    queryKey: [...QUERY_KEYS.reports, itemId],
    queryFn: ({ signal }) => callApi(getResultReport, { params: { id: itemId } }, { signal }),
    ...(known === undefined ? {} : { initialData: { report: known } }),
    enabled: mayAsk || known !== undefined,
    // The server tells when a decision has come.
    staleTime: Number.POSITIVE_INFINITY,
    select: ({ report }) => report,
  });
}

/** Sends a complaint. A repeat changes nothing while the first one is open. */
export function useComplaint(itemId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { reason: ReportReason; comment: string }) =>
      callApi(reportResult, { params: { id: itemId }, body }),
    onSuccess: (report) => queryClient.setQueryData([...QUERY_KEYS.reports, itemId], { report }),
  });
}
