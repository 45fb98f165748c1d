import { PATHS } from '#shared/rules/app-paths.ts';

interface Arrival {
  isSignedIn: boolean;
  /** This page was reached by a link of the application, without a new document. */
  hasNavigated: boolean;
  /** Of the document, as the browser tells. */
  referrer: string;
  origin: string;
  /** A page opened in a new tab has nowhere to go back to. */
  historyLength: number;
}

/** Where «Назад» leads: the app for the signed-in; for others back on this site, and to the start page from elsewhere. */
export function resolveBackTarget({ isSignedIn, hasNavigated, referrer, origin, historyLength }: Arrival): string | -1 {
  if (isSignedIn) return PATHS.app;
  const cameFromHere = hasNavigated || (referrer !== '' && new URL(referrer).origin === origin);
  return cameFromHere && historyLength > 1 ? -1 : PATHS.landing;
}
