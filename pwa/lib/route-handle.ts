import { useMatches } from 'react-router-dom';
import { chooseTitle, type PageTitle } from './page-title.ts';
import { useChange } from './tools.ts';

/** What the route table says about a page. */
export interface RouteHandle {
  title: PageTitle;
  /** The page shows nothing without an account. */
  needsAccount?: boolean;
}

/** The title that the route table gives the page shown now. */
export function useRouteTitle(): string {
  const change = useChange();
  return chooseTitle(useRouteHandle()?.title ?? 'Подиум', change);
}

/** Whether the current page shows nothing without an account. */
export function useNeedsAccount(): boolean {
  return useRouteHandle()?.needsAccount ?? false;
}

function useRouteHandle(): RouteHandle | undefined {
  return useMatches().at(-1)?.handle as RouteHandle | undefined;
}
