import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { boardQuery } from './pages/board/use-board.ts'
import { entranceQuery } from './session/entrance.ts'
import { NoAccess } from './session/no-access.tsx'
import { sessionQuery } from './session/session.tsx'
import { NotFound } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'
import { ErrorState } from './ui/states.tsx'

const root = createRootRouteWithContext<{ client: QueryClient }>()({ component: Outlet })

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** What only those who are signed in reach. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  beforeLoad: async ({ context: { client }, location }) => {
    const session = await client.ensureQueryData(sessionQuery)
    if (session) return
    const { fresh } = await client.ensureQueryData(entranceQuery)
    throw fresh ? redirect({ to: '/set-up' }) : redirect({ to: '/sign-in', search: { to: location.href } })
  },
  errorComponent: ({ error }) => <NoAccess error={error} onRetry={() => location.reload()} />,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  // Only to a page of ours: not to whatever address a link names.
  validateSearch: (search) => {
    const to = text(search['to'])
    return to?.startsWith('/') && !to.startsWith('//') && !to.includes('\\')
      ? { to }
      : ({} as { to?: string })
  },
  beforeLoad: async ({ context: { client }, search: { to } }) => {
    // Who works for nobody here may sign in as somebody else.
    const session = await client.ensureQueryData(sessionQuery).catch(() => null)
    if (session) throw redirect({ href: to ?? '/' })
    if ((await client.ensureQueryData(entranceQuery)).fresh) throw redirect({ to: '/set-up' })
  },
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
})

/** What an address may say after its question mark: each page knows its own words, and keeps only those. */
const words =
  <K extends string>(...names: K[]) =>
  (search: Record<string, unknown>) =>
    Object.fromEntries(
      names.flatMap((name) => (text(search[name]) ? [[name, text(search[name])]] : [])),
    ) as Partial<Record<K, string>>

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/home/home-page.tsx'), 'HomePage'),
})

const board = createRoute({
  getParentRoute: () => inside,
  path: '/board',
  validateSearch: words('line', 'search', 'rep', 'company', 'late', 'sort'),
  loaderDeps: ({ search }) => search,
  // Asked for while the page's script is still on its way.
  loader: ({ context: { client }, deps }) => void client.prefetchQuery(boardQuery(deps)),
  component: lazyRouteComponent(() => import('./pages/board/board-page.tsx'), 'BoardPage'),
})

const leads = createRoute({
  getParentRoute: () => inside,
  path: '/leads',
  validateSearch: words('search', 'status', 'line', 'rep', 'setter', 'company', 'source', 'archived', 'sort'),
  component: lazyRouteComponent(() => import('./pages/leads/leads-page.tsx'), 'LeadsPage'),
})

const lead = createRoute({
  getParentRoute: () => inside,
  path: '/leads/$id',
  component: lazyRouteComponent(() => import('./pages/lead/lead-page.tsx'), 'LeadPage'),
})

const sell = createRoute({
  getParentRoute: () => inside,
  path: '/leads/$id/sell',
  component: lazyRouteComponent(() => import('./pages/sell/sell-page.tsx'), 'SellPage'),
})

const project = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$id',
  component: lazyRouteComponent(() => import('./pages/project/project-page.tsx'), 'ProjectPage'),
})

const calendar = createRoute({
  getParentRoute: () => inside,
  path: '/calendar',
  validateSearch: words('view', 'day', 'kind'),
  component: lazyRouteComponent(() => import('./pages/calendar/calendar-page.tsx'), 'CalendarPage'),
})

const search = createRoute({
  getParentRoute: () => inside,
  path: '/search',
  validateSearch: words('q'),
  component: lazyRouteComponent(() => import('./pages/search/search-page.tsx'), 'SearchPage'),
})

const account = createRoute({
  getParentRoute: () => inside,
  path: '/account',
  component: lazyRouteComponent(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
})

const setUp = createRoute({
  getParentRoute: () => root,
  path: '/set-up',
  beforeLoad: async ({ context: { client } }) => {
    if (!(await client.ensureQueryData(entranceQuery)).fresh) throw redirect({ to: '/' })
  },
  component: lazyRouteComponent(() => import('./pages/set-up/set-up-page.tsx'), 'SetUpPage'),
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(
    () => import('./pages/forgot-password/forgot-password-page.tsx'),
    'ForgotPasswordPage',
  ),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  validateSearch: words('token'),
  component: lazyRouteComponent(
    () => import('./pages/reset-password/reset-password-page.tsx'),
    'ResetPasswordPage',
  ),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  validateSearch: words('token'),
  component: lazyRouteComponent(
    () => import('./pages/reset-password/reset-password-page.tsx'),
    'InvitationPage',
  ),
})

const routeTree = root.addChildren([
  signIn,
  setUp,
  forgotPassword,
  resetPassword,
  invitation,
  inside.addChildren([home, board, leads, lead, sell, project, calendar, search, account]),
])

export function buildRouter(client: QueryClient) {
  return createRouter({
    routeTree,
    context: { client },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} onRetry={reset} />,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof buildRouter>
  }
}
