import { createContext, useContext } from 'react';
import { ErrorPage } from './error-page.tsx';

export const LoadFailureContext = createContext<unknown>(null);

/** Stands in the layout in place of a page whose code has not come. */
export function LoadFailure() {
  return <ErrorPage error={useContext(LoadFailureContext)} />;
}
