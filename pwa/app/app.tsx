import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode, useEffect } from 'react';

interface AppProps {
  queryClient: QueryClient;
  /** Called once the page's event handlers work. */
  onReady?: (() => void) | undefined;
  children: ReactNode;
}

/** Everything around the router, in the browser and in the prerendering. */
export function App({ queryClient, onReady, children }: AppProps) {
  useEffect(() => onReady?.(), [onReady]);
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </StrictMode>
  );
}
