const DAY_MS = 86_400_000;

/** What the panel asks for lists, and how many have what is searched: many, few, one or nobody. */
const LISTS = [
  '/api/admin/users',
  '/api/admin/payments',
  '/api/admin/payments?status=pending',
  '/api/admin/payments?status=succeeded',
  '/api/admin/payments?status=canceled',
  '/api/admin/reports?status=closed',
  '/api/admin/interview-requests',
  '/api/admin/audit',
];
const OTHERS = [
  '/api/admin/payments?accountId=100107',
  '/api/admin/users/100107/stars',
  '/api/admin/reports?status=open',
  '/api/admin/open-report-count',
  '/api/admin/engines',
];
const NEEDLES = ['mail', 'brand.ru', 'шульга', 'ши', 'ан', 'щ', '7', 'анна1001', 'tg_ab', '100123', 'nobody@x'];
const FIGURES = ['', '/daily', '/daily.csv', '/engines', '/engines.csv'];

/** The first and the second page of every list. `read` answers a call. */
export async function listListCalls(read: (path: string) => Promise<string>): Promise<string[]> {
  const following: string[] = [];
  for (const list of LISTS) {
    const { nextCursor } = JSON.parse(await read(list)) as { nextCursor: string | null };
    if (nextCursor) following.push(`${list}${list.includes('?') ? '&' : '?'}cursor=${nextCursor}`);
  }
  return [...LISTS, ...following, ...OTHERS];
}

export function listSearchCalls(): string[] {
  return NEEDLES.map((needle) => `/api/admin/users?search=${encodeURIComponent(needle)}`);
}

/** The figures of all time, the last day, month and year, and of what was before. */
export function listFigureCalls(): string[] {
  const [day, month, year] = [1, 30, 365].map((days) =>
    new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10),
  );
  const periods = ['', `?startDate=${day}`, `?startDate=${month}`, `?startDate=${year}`, `?endDate=${year}`];
  return FIGURES.flatMap((figures) => periods.map((period) => `/api/analytics${figures}${period}`));
}
