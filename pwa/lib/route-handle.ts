import { useMatches } from 'react-router-dom';

/** What the route table tells of a page to whatever is around it. */
export interface RouteHandle {
  title: string;
  /** The page is nothing without an account. */
  needsAccount?: boolean;
}

/** The title that the route table gives the page shown now. */
export function useRouteTitle(): string {
  return useRouteHandle()?.title ?? 'Подиум';
}

/** Whether the page shown now is nothing without an account. */
export function useNeedsAccount(): boolean {
  return useRouteHandle()?.needsAccount ?? false;
}

function useRouteHandle(): RouteHandle | undefined {
  return useMatches().at(-1)?.handle as RouteHandle | undefined;
}
