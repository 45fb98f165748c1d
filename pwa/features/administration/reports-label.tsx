import { useQuery } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { countOpenReports } from '#shared/contract/result-reports.ts';
import { ADMINISTRATION_KEY } from './use-paged-list.ts';

/** Complaints come without a press, so the page asks for them again. */
const REFRESH_MS = 60_000;

/** The label of the tab, with the number of complaints that wait. */
export function ReportsLabel() {
  const { data: count = 0 } = useQuery({
    queryKey: [ADMINISTRATION_KEY, 'report-count'],
    queryFn: async ({ signal }) => (await callApi(countOpenReports, undefined, { signal })).count,
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      Жалобы
      {count > 0 && (
        <span className="num ml-1.5 text-danger">
          {count}
          <span className="sr-only"> ждут решения</span>
        </span>
      )}
    </>
  );
}
