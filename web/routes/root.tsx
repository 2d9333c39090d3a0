import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { NoAccess } from '../pages/gate/no-access.tsx'
import { entranceQuery } from '../session/entrance.ts'
import { sessionQuery } from '../session/session.tsx'
import { BackClosesDialog } from '../shell/back-closes-dialog.ts'
import { PageTitle } from '../shell/page-title.ts'
import { Shell } from '../shell/shell.tsx'

export const root = createRootRouteWithContext<{ client: QueryClient }>()({
  staticData: { title: null },
  component: () => (
    <>
      <PageTitle />
      <BackClosesDialog />
      <Outlet />
    </>
  ),
})

/** What only those who are signed in reach. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  staticData: { title: null },
  component: Shell,
  beforeLoad: async ({ context: { client }, location }) => {
    const session = await client.ensureQueryData(sessionQuery)
    if (session) return
    const { fresh } = await client.ensureQueryData(entranceQuery)
    throw fresh ? redirect({ to: '/set-up' }) : redirect({ to: '/sign-in', search: { to: location.href } })
  },
  errorComponent: ({ error }) => <NoAccess error={error} onRetry={() => location.reload()} />,
})

/** A number is a word like any other: 92101 may be what is looked for. */
export const text = (value: unknown) =>
  typeof value === 'number' ? String(value) : typeof value === 'string' && value !== '' ? value : undefined

/** What an address may say after its question mark: each page knows its own words, and keeps only those. */
export const words =
  <K extends string>(...names: K[]) =>
  (search: Record<string, unknown>) =>
    Object.fromEntries(
      names.flatMap((name) => (text(search[name]) ? [[name, text(search[name])]] : [])),
    ) as Partial<Record<K, string>>
