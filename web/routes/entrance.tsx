import { createRoute, redirect } from '@tanstack/react-router'
import { entranceQuery } from '../session/entrance.ts'
import { sessionQuery } from '../session/session.tsx'
import { titles } from '../texts/en/titles.ts'
import { ownPath } from './own-path.ts'
import { page } from './page.ts'
import { root, text, words } from './root.tsx'

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  staticData: { title: titles.signIn },
  // Only to a page of ours: not to whatever address a link names.
  validateSearch: (search) => {
    const to = ownPath(text(search['to']), location.origin)
    return to ? { to } : ({} as { to?: string })
  },
  beforeLoad: async ({ context: { client }, search: { to } }) => {
    // Who works for nobody here may sign in as somebody else.
    const session = await client.ensureQueryData(sessionQuery).catch(() => null)
    if (session) throw redirect({ href: to ?? '/' })
    if ((await client.ensureQueryData(entranceQuery)).fresh) throw redirect({ to: '/set-up' })
  },
  component: page(() => import('../pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
})

const setUp = createRoute({
  getParentRoute: () => root,
  path: '/set-up',
  staticData: { title: titles.setUp },
  beforeLoad: async ({ context: { client } }) => {
    if (!(await client.ensureQueryData(entranceQuery)).fresh) throw redirect({ to: '/' })
  },
  component: page(() => import('../pages/set-up/set-up-page.tsx'), 'SetUpPage'),
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  staticData: { title: titles.forgotPassword },
  component: page(() => import('../pages/forgot-password/forgot-password-page.tsx'), 'ForgotPasswordPage'),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  staticData: { title: titles.resetPassword },
  validateSearch: words('token'),
  component: page(() => import('../pages/reset-password/reset-password-page.tsx'), 'ResetPasswordPage'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  staticData: { title: titles.invitation },
  validateSearch: words('token'),
  component: page(() => import('../pages/invitation/invitation-page.tsx'), 'InvitationPage'),
})

/** What is reached without being signed in. */
export const entrance = [signIn, setUp, forgotPassword, resetPassword, invitation] as const
