import { MutationCache, notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError, isOffline } from './api/client.ts'
import { onBack, watchConnection } from './api/connection.ts'
import { buildRouter } from './router.tsx'
import { noteLostFiles } from './shell/page-error.tsx'
import { restoreFocusOnBack } from './shell/restore-focus.ts'
import { followTheme } from './shell/theme.ts'
import './styles.css'
import { ToastProvider } from './ui/toast.tsx'

// What somebody ticks is shown as ticked before anything else happens: by a timer, a busy browser shows it as it was first.
notifyManager.setScheduler(queueMicrotask)
followTheme()
noteLostFiles()
watchConnection()

const client = new QueryClient({
  mutationCache: new MutationCache({
    // Where others were quicker, the page asks what they made of it: whoever was refused is to choose by that.
    onError: (error) => {
      if (error instanceof ApiError && error.now) void client.invalidateQueries()
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What is refused is refused again, and who is offline is told so; what else did not arrive may.
      retry: (count, error) =>
        count < 2 &&
        !isOffline(error) &&
        !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      networkMode: 'always',
    },
    // What is sent waits for the connection by itself, and says so.
    mutations: { networkMode: 'always' },
  },
})
onBack(() => void client.invalidateQueries())

const router = buildRouter(client)
restoreFocusOnBack(router)
// The page's own script comes while it is asked who is here.
for (const { routeId } of router.matchRoutes(router.latestLocation)) {
  const { component } = router.routesById[routeId as keyof typeof router.routesById].options
  if (component && 'preload' in component) void component.preload?.()
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <ToastProvider>
        <RouterProvider router={router} />
      </ToastProvider>
    </QueryClientProvider>
  </StrictMode>,
)
