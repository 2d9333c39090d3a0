import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { business } from './routes/business.tsx'
import { entrance } from './routes/entrance.tsx'
import { inside, root } from './routes/root.tsx'
import { settings } from './routes/settings.tsx'
import { work } from './routes/work.tsx'
import { NotFound } from './shell/not-found.tsx'
import { PageError } from './shell/page-error.tsx'

const routeTree = root.addChildren([...entrance, inside.addChildren([...work, ...business, settings])])

export function buildRouter(client: QueryClient) {
  return createRouter({
    routeTree,
    context: { client },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: PageError,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof buildRouter>
  }
}
