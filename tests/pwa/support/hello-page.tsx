import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter, Link, Route, Routes } from 'react-router-dom';

/** The smallest page with a query and a link on the stack of the interface: the floor of what its pages may load. */
function HelloPage() {
  return (
    <StrictMode>
      <QueryClientProvider client={new QueryClient()}>
        <BrowserRouter>
          <Routes>
            <Route path="*" element={<Hello />} />
          </Routes>
        </BrowserRouter>
      </QueryClientProvider>
    </StrictMode>
  );
}

function Hello() {
  const { data } = useQuery({ queryKey: ['hello'], queryFn: async () => (await fetch('/healthz')).text() });
  return (
    <p>
      Hello {data} <Link to="/">again</Link>
    </p>
  );
}

createRoot(document.body).render(<HelloPage />);
