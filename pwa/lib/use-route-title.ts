import { useMatches } from 'react-router-dom';

/** The title that the route table gives the page shown now. */
export function useRouteTitle(): string {
  const handle = useMatches().at(-1)?.handle as { title?: string } | undefined;
  return handle?.title ?? 'Подиум';
}
