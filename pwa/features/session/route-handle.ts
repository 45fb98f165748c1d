import { createContext, useContext } from 'react';
import { chooseTitle, type PageTitle } from '#pwa/device/page-title.ts';
import { useChange } from '#pwa/features/tools/tools.ts';

/** What the route table says about a page. */
export interface RouteHandle {
  title: PageTitle;
  /** The page shows nothing without an account. */
  needsAccount?: boolean;
}

/** What the route table says about the page shown now. */
export const RouteHandleContext = createContext<RouteHandle | undefined>(undefined);

/** The title that the route table gives the page shown now. */
export function useRouteTitle(): string {
  const change = useChange();
  return chooseTitle(useContext(RouteHandleContext)?.title ?? 'Подиум', change);
}

/** Whether the current page shows nothing without an account. */
export function useNeedsAccount(): boolean {
  return useContext(RouteHandleContext)?.needsAccount ?? false;
}
