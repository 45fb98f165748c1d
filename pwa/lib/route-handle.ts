import { useMatches } from 'react-router-dom';
import { chooseTitle, type PageTitle } from './page-title.ts';
import { useChange } from './tools.ts';

/** What the route table tells of a page to whatever is around it. */
export interface RouteHandle {
  title: PageTitle;
  /** The page is nothing without an account. */
  needsAccount?: boolean;
}

/** The title that the route table gives the page shown now. */
export function useRouteTitle(): string {
  const change = useChange();
  return chooseTitle(useRouteHandle()?.title ?? 'Подиум', change);
}

/** Whether the page shown now is nothing without an account. */
export function useNeedsAccount(): boolean {
  return useRouteHandle()?.needsAccount ?? false;
}

function useRouteHandle(): RouteHandle | undefined {
  return useMatches().at(-1)?.handle as RouteHandle | undefined;
}
