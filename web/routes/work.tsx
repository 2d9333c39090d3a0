import { createRoute } from '@tanstack/react-router'
import { boardQuery } from '../pages/board/use-board.ts'
import { titles } from '../texts/en/titles.ts'
import { page } from './page.ts'
import { inside, words } from './root.tsx'

const momentMs = 250

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  staticData: { title: titles.home },
  component: page(() => import('../pages/home/home-page.tsx'), 'HomePage'),
})

const board = createRoute({
  getParentRoute: () => inside,
  path: '/board',
  staticData: { title: titles.board },
  validateSearch: words('line', 'search', 'rep', 'company', 'late', 'sort'),
  loaderDeps: ({ search }) => search,
  // Asked for while the page's script is still on its way. Where the answer comes in a moment, the page is drawn once,
  // with its cards.
  loader: ({ context: { client }, deps, cause }) => {
    const asked = client.prefetchQuery(boardQuery(deps))
    const moment = new Promise<void>((resolve) => setTimeout(resolve, momentMs))
    return cause === 'enter' ? Promise.race([asked, moment]) : undefined
  },
  component: page(() => import('../pages/board/board-page.tsx'), 'BoardPage'),
})

const leads = createRoute({
  getParentRoute: () => inside,
  path: '/leads',
  staticData: { title: titles.leads },
  validateSearch: words('search', 'status', 'line', 'rep', 'setter', 'company', 'source', 'archived', 'sort'),
  component: page(() => import('../pages/leads/leads-page.tsx'), 'LeadsPage'),
})

const lead = createRoute({
  getParentRoute: () => inside,
  path: '/leads/$id',
  staticData: { title: titles.lead },
  component: page(() => import('../pages/lead/lead-page.tsx'), 'LeadPage'),
})

const sell = createRoute({
  getParentRoute: () => inside,
  path: '/leads/$id/sell',
  staticData: { title: titles.sell },
  component: page(() => import('../pages/sell/sell-page.tsx'), 'SellPage'),
})

const project = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$id',
  staticData: { title: titles.project },
  component: page(() => import('../pages/project/project-page.tsx'), 'ProjectPage'),
})

const items = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$id/items',
  staticData: { title: titles.items },
  component: page(() => import('../pages/items/items-page.tsx'), 'ItemsPage'),
})

const calendar = createRoute({
  getParentRoute: () => inside,
  path: '/calendar',
  staticData: { title: titles.calendar },
  validateSearch: words('view', 'day', 'kind'),
  component: page(() => import('../pages/calendar/calendar-page.tsx'), 'CalendarPage'),
})

const search = createRoute({
  getParentRoute: () => inside,
  path: '/search',
  staticData: { title: titles.search },
  validateSearch: words('q'),
  component: page(() => import('../pages/search/search-page.tsx'), 'SearchPage'),
})

const account = createRoute({
  getParentRoute: () => inside,
  path: '/account',
  staticData: { title: titles.account },
  component: page(() => import('../pages/account/account-page.tsx'), 'AccountPage'),
})

/** The daily work. */
export const work = [home, board, leads, lead, sell, project, items, calendar, search, account] as const
