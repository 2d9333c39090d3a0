import { newLead } from '../new-lead.ts'
import type { Random } from '../random.ts'
import { get, post } from '../row.ts'
import type { Answer } from './caller.ts'
import { type Kind, model } from './model.ts'
import type { Plan } from './plan.ts'
import { drawBy } from './random-draws.ts'

/** What is sent at one arrival: a page sends several at once. */
export interface Work {
  requests: string[]
  status: number
  /** Looks at a good answer; answers what is wrong with it. */
  seen?(answer: Answer): string | null
}

/** Which companies are meant: for what a call costs with and without somebody to tell. */
export type Audience = 'all' | 'told' | 'untold'

const quarterMs = model.readingMinutes * 60_000

/** The time of a quarter of an hour: a day from its beginning to its end, then the day before. */
export function timeOfQuarter(firstDay: string, quarter: number): Date {
  const perDay = 86_400_000 / quarterMs
  const day = Math.floor(quarter / perDay)
  // In California, where the sites are: eight or seven hours later.
  const begin = Date.parse(`${firstDay}T08:00:00Z`) - day * 86_400_000
  return new Date(begin + (quarter % perDay) * quarterMs)
}

/** Makes what each kind sends, as companies come by chance. */
export function createWork(plan: Plan, random: Random, startedAt: Date) {
  const perAudience = <T>(make: (wanted: (company: number) => boolean) => T) => ({
    all: make(() => true),
    told: make((company) => plan.companies[company]!.told),
    untold: make((company) => !plan.companies[company]!.told),
  })
  const bySize = perAudience((wanted) => drawBy(plan.companies.map(({ size }, i) => (wanted(i) ? size : 0))))
  const projectsOf = Map.groupBy(plan.projects, ({ company }) => company)
  const moving = perAudience((wanted) =>
    drawBy(plan.companies.map(({ size }, i) => (wanted(i) && projectsOf.has(i) ? size : 0))),
  )
  const begin = startedAt.toISOString()
  const since = {
    projects: plan.companies.map(() => begin),
    leads: plan.companies.map(() => begin),
  }
  const sent = plan.sites.map(() => 0)
  let leads = 0

  const poll = (list: 'projects' | 'leads'): Work => {
    const company = random.below(plan.companies.length)
    const known = since[list]
    const path = `/v1/${list}?updatedSince=${known[company]}&limit=100`
    return {
      requests: [get(path, plan.companies[company]!.key)],
      status: 200,
      seen({ body }) {
        // A client keeps the newest `updatedAt` that it read and sends it next time.
        if (body.length > shortestRow) known[company] = newest(body.toString('latin1'), known[company]!)
        return null
      },
    }
  }

  const make: Record<Kind, (audience: Audience) => Work> = {
    'poll-projects': () => poll('projects'),
    'poll-leads': () => poll('leads'),
    'post-lead': (audience) => {
      const company = bySize[audience](random)
      const body = JSON.stringify({ ...newLead, externalId: `scale-${begin}-${leads++}` })
      return { requests: [post('/v1/leads', body, plan.companies[company]!.key)], status: 201 }
    },
    'move-stage': (audience) => {
      const company = moving[audience](random)
      const project = random.pick(projectsOf.get(company)!)
      const ladder = plan.ladders[project.line]
      project.stage = (project.stage + 1) % ladder.length
      const body = JSON.stringify({ stage: ladder[project.stage] })
      const { key } = plan.companies[company]!
      return {
        requests: [post(`/v1/projects/${project.id}/stage`, body, key)],
        status: 200,
        seen: ({ body: answer }) => (answer.includes('"changed":true') ? null : 'the stage was not changed'),
      }
    },
    readings: () => {
      const site = random.below(plan.sites.length)
      const { key, panels } = plan.sites[site]!
      const at = timeOfQuarter(plan.firstDay, plan.quarters + sent[site]!++).toISOString()
      const made = panels.map(
        (id) => `{"panel_id":"${id}","timestamp":"${at}","kwh":0.0${10 + random.below(80)}}`,
      )
      return {
        requests: [post('/catalog/v1/monitoring/readings', `{"readings":[${made.join()}]}`, key)],
        status: 200,
        seen: ({ body }) =>
          body.includes(`"accepted":${panels.length},"updated":0,"quarantined":0`)
            ? null
            : `readings were not taken as new: ${body.toString('latin1', 0, 200)}`,
      }
    },
    page: () => pageOf(plan, random),
  }
  return {
    next: (kind: Kind, audience: Audience) => make[kind](audience),
    /** How many quarters of an hour the busiest site has sent. */
    quartersSent: () => sent.reduce((most, one) => Math.max(most, one), 0),
  }
}

/** An empty page is shorter. */
const shortestRow = 200

function newest(body: string, known: string): string {
  let result = known
  for (const [, at] of body.matchAll(/"updatedAt":"([^"]+)"/g)) if (at! > result) result = at!
  return result
}

const drawPage = drawBy(Object.values(model.pages))
const pageNames = Object.keys(model.pages) as (keyof typeof model.pages)[]

/** What the console asks for when a page is opened, at once. */
function pageOf(plan: Plan, random: Random): Work {
  const { cookie, leads, projects } = random.pick(plan.people)
  const api = (path: string) => withCookie(`/console/api${path}`, cookie)
  const lead = leads.length > 0 ? random.pick(leads) : null
  const project = projects.length > 0 ? random.pick(projects) : null
  const asked: Record<keyof typeof model.pages, string[]> = {
    home: [api('/home')],
    leads: [api('/leads'), api('/leads/sources')],
    lead: lead ? [api(`/leads/${lead}`), api(`/leads/${lead}/duplicates`)] : [api('/leads')],
    board: [api('/board?line=solar')],
    project: project ? [api(`/projects/${project}`), api(`/projects/${project}/links`)] : [api('/home')],
    calendar: [api(`/calendar?from=${dayFrom(-7)}&to=${dayFrom(35)}`)],
  }
  const requests = asked[pageNames[drawPage(random)]!]
  const first = random.below(1_000) < model.firstPages * 1_000
  return {
    requests: first ? [withCookie('/', cookie), api('/session'), ...requests] : requests,
    status: 200,
  }
}

export const liveRequest = (cookie: string) => withCookie('/console/api/live', cookie)

const withCookie = (path: string, cookie: string) =>
  `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: ${cookie}\r\nx-sunstead-console: 1\r\n\r\n`

const dayFrom = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
