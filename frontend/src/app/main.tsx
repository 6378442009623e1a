import 'virtual:tokens.css';
import './styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { makeClient } from '../lib/query-client';
import { sessionQueryOptions } from '../lib/session';
import { makeRouter } from './router';

const client = makeClient();
void client.prefetchQuery(sessionQueryOptions);
const router = makeRouter(client);
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
