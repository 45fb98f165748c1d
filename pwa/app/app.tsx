import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode, useEffect } from 'react';

interface AppProps {
  queryClient: QueryClient;
  /** Once the page listens. */
  onReady?: (() => void) | undefined;
  children: ReactNode;
}

/** What surrounds the router, in the browser as in the prerendering. */
export function App({ queryClient, onReady, children }: AppProps) {
  useEffect(() => onReady?.(), [onReady]);
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </StrictMode>
  );
}
