import { PATHS } from '#shared/rules/app-paths.ts';

interface Arrival {
  isSignedIn: boolean;
  /** Whether this page was reached by a link of the app, without loading a new document. */
  hasNavigated: boolean;
  /** The document's referrer, as the browser reports it. */
  referrer: string;
  origin: string;
  /** A new tab has a history of length 1 and nowhere to go back to. */
  historyLength: number;
}

/**
 * Where «Назад» leads: signed-in people to the app, visitors who came from this site one step back (-1), all others to
 * the landing page.
 */
export function resolveBackTarget({ isSignedIn, hasNavigated, referrer, origin, historyLength }: Arrival): string | -1 {
  if (isSignedIn) return PATHS.app;
  const cameFromHere = hasNavigated || (referrer !== '' && new URL(referrer).origin === origin);
  return cameFromHere && historyLength > 1 ? -1 : PATHS.landing;
}
