interface Pages<Page, Parameter> {
  pages: Page[];
  pageParams: Parameter[];
}

/** A list as it was after its first page. */
export function keepFirstPage<Page, Parameter>({ pages, pageParams }: Pages<Page, Parameter>): Pages<Page, Parameter> {
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) };
}
