// What companies do in a day, and why we think so. Every rate of the load follows from the numbers of this file.

/** What the load is made of; `webhook` is what comes of it. */
export const kinds = ['poll-projects', 'poll-leads', 'post-lead', 'move-stage', 'readings', 'page'] as const
export type Kind = (typeof kinds)[number]
export const observedKinds = [...kinds, 'webhook'] as const
export type ObservedKind = (typeof observedKinds)[number]

export const model = {
  /**
   * Sizes have a heavy tail: 20 % of companies do 80 % of the business (Pareto's own figure), the largest of 10,000 some
   * 8 % of all, the middle one a quarter of the mean. All that follows business goes by size; what a clock asks for does not.
   */
  sizeExponent: 0.95,
  /** Companies that are dealers, each of one of the largest installers. */
  dealerShare: 0.15,
  dealersEach: 5,

  /** A system of the company's own asks for what changed, each list once a minute by day and night, whatever its size. */
  pollsAMinute: { projects: 1, leads: 1 },
  /** From forms and lead vendors: the mean of all companies. A fifth is sold. */
  leadsADay: 3,
  /** 0.6 sales a day, and each project goes through a ladder of ten stages. */
  movesADay: 6,
  /** Four people of the office, some 40 pages each; half of all companies have only one or two. */
  pagesADay: 150,
  /** Of the day's leads, moves and pages in its busiest hour, which is what is driven: eight hours of work would be 0.125. */
  busiestHour: 0.125,

  /** A gateway stands at a site, knows its panels and sends a quarter of an hour of all of them by one call. */
  panelsASite: 20,
  readingMinutes: 15,
  panelKw: 0.4,

  /** Installers who are told of everything at an endpoint of theirs. */
  endpointShare: 0.3,

  /** People who are signed in, each with a page open that is notified of changes: one in ten installers, and no more than
   * 100, as more would only repeat these. */
  signedIn: { share: 0.1, most: 100 },
  /** What people open. One page in ten is the first of a window: it loads the document and the session too. */
  pages: { home: 15, leads: 20, lead: 25, board: 15, project: 20, calendar: 5 },
  firstPages: 0.1,

  /** What is there before, mean of all companies: a first page of each list is full for most. How a call grows with more is bench/growth's. */
  history: { leads: 15, projects: 6 },

  /** Each kind alone, to tell what one call costs: often enough to be measured, and no load. */
  probesASecond: {
    'poll-projects': 200,
    'poll-leads': 200,
    'post-lead': 80,
    'move-stage': 80,
    readings: 60,
    page: 40,
  } satisfies Record<Kind, number>,

  /** A rate holds where 99 of 100 are answered within this, as many as asked for, and next to none fails. */
  holds: {
    p99Ms: {
      'poll-projects': 500,
      'poll-leads': 500,
      'post-lead': 500,
      'move-stage': 500,
      readings: 1_000,
      page: 1_000,
      webhook: 5_000,
    } satisfies Record<ObservedKind, number>,
    done: 0.98,
    failed: 0.001,
  },
}

export interface Size {
  companies: number
  panels: number
}

export const sitesOf = ({ panels }: Size) => Math.ceil(panels / model.panelsASite)

/** Calls of a day. */
export function callsADay(size: Size): Record<Kind, number> {
  const { companies } = size
  return {
    'poll-projects': companies * model.pollsAMinute.projects * 1440,
    'poll-leads': companies * model.pollsAMinute.leads * 1440,
    'post-lead': companies * model.leadsADay,
    'move-stage': companies * model.movesADay,
    readings: (sitesOf(size) * 1440) / model.readingMinutes,
    page: companies * model.pagesADay,
  }
}

const byTheClock = new Set<Kind>(['poll-projects', 'poll-leads', 'readings'])

/** Calls a second in the busiest hour. */
export function ratesOf(size: Size): Record<Kind, number> {
  const day = callsADay(size)
  const rate = (kind: Kind) => day[kind] * (byTheClock.has(kind) ? 1 / 86_400 : model.busiestHour / 3600)
  return Object.fromEntries(kinds.map((kind) => [kind, rate(kind)])) as Record<Kind, number>
}

/** How large companies are, the largest first; 1 is the mean. */
export function sizesOf(count: number): number[] {
  const raw = Array.from({ length: count }, (_, i) => (i + 1) ** -model.sizeExponent)
  const mean = raw.reduce((sum, one) => sum + one, 0) / count
  return raw.map((one) => one / mean)
}

/** Shares out whole things by size so that all of them are given. */
export function sharedOut(total: number, sizes: readonly number[]): number[] {
  const all = sizes.reduce((sum, one) => sum + one, 0)
  let before = 0
  let given = 0
  return sizes.map((size) => {
    before += size
    const until = Math.round((total * before) / all)
    const share = until - given
    given = until
    return share
  })
}
