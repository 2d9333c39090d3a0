import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError } from './api/client.ts'
import { buildRouter } from './router.tsx'
import { followTheme } from './shell/theme.ts'
import './styles.css'
import { ToastProvider } from './ui/toast.tsx'

followTheme()

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What is refused is refused again; what did not arrive may.
      retry: (count, error) =>
        count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
})

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <ToastProvider>
        <RouterProvider router={buildRouter(client)} />
      </ToastProvider>
    </QueryClientProvider>
  </StrictMode>,
)
