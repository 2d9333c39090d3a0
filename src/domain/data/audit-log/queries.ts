import type { Db, Statement } from '../../../platform/db.ts'

/** An event of the log, with what is needed to tell what it was about. */
export interface LoggedEvent {
  at: Date
  ordinal: number
  type: string
  companyId: string
  leadId: string | null
  projectId: string | null
  subjectId: string
  /** `visitor`: somebody who is not known; the id is then of who they said to be. */
  actorKind: 'key' | 'member' | 'job' | 'visitor'
  actorId: string | null
  actorName: string | null
  changes: Record<string, [from: unknown, to: unknown]>
  /** What the thing was called when it happened. */
  name: string | null
  customer: string | null
  /** Where it was asked for from, and with what. */
  address: string | null
  device: string | null
  /** How often it happened until `lastAt`, where it is noted once. */
  times: number
  lastAt: Date
}

export interface LogFilter {
  /** A dealer's; null for the whole tenant. */
  companyId: string | null
  /** A lead, for all that belongs to it, or anything else that has an id. */
  recordId?: string | undefined
  actorId?: string | undefined
  /** The first word of the type. */
  kind?: string | undefined
  from: Date
}

export interface LogPosition {
  at: Date
  ordinal: number
}

/** Most of what is logged, and found without an index of its own. */
const usualKinds = ['lead', 'project']
const kindOf = `split_part(e.type, '.', 1)`

/** The kind that stands for all that a company's safety depends on; of the log of events it takes these too. */
export const securityKind = 'security'
const kindsOfSafety = [
  'key',
  'member',
  'invitation',
  'company',
  'link',
  'import',
  'customer',
  'retention',
  'webhook',
]

const eventColumns = `coalesce(e.data->>'name', e.data->>'number', e.data->>'title') as name, 1 as times, e.at as "lastAt"`
const trailColumns = `coalesce(e.name, (select f.name from files f where f.installer_id = $1 and f.id = e.subject_id)) as name,
      e.times, e.last_at as "lastAt"`

/** Each condition as its index has it: the database uses none whose words it does not find. */
function pageStatement({ companyId, recordId, actorId, kind }: LogFilter): Statement {
  let parameters = 5
  const conditions: [name: string, text: string][] = []
  if (companyId !== null)
    conditions.push(['dealer', `e.company_id <> e.installer_id and e.company_id = $${++parameters}`])
  if (recordId !== undefined)
    conditions.push(['record', `coalesce(e.lead_id, e.subject_id) = $${++parameters}`])
  if (actorId !== undefined)
    conditions.push(['actor', `e.actor_id is not null and e.actor_id = $${++parameters}`])
  /** The newest of one log, each read by its own index before both are put together. */
  const newest = (table: string, columns: string, more: string[] = []) => `(
      select e.at, e.ordinal::int as ordinal, e.type, e.company_id, e.lead_id, e.project_id, e.subject_id, e.actor_kind,
        e.actor_id, e.actor_name, e.changes, e.address, e.device, ${columns}
      from ${table} e
      where e.installer_id = $1 and (e.at, e.ordinal) < ($2::timestamptz, $3::int) and e.at >= $4::timestamptz
        ${[...conditions.map(([, text]) => text), ...more].map((text) => `and ${text}`).join(' ')}
      order by e.at desc, e.ordinal desc limit $5)`
  const ofKind = (value: string, name: string) =>
    usualKinds.includes(name)
      ? `${kindOf} = ${value}`
      : `${kindOf} = ${value} and ${kindOf} not in ('lead', 'project')`
  const trail = newest('security_events', trailColumns)
  const logs =
    kind === undefined
      ? [newest('events', eventColumns), trail]
      : kind === securityKind
        ? [trail, ...kindsOfSafety.map((one) => newest('events', eventColumns, [ofKind(`'${one}'`, one)]))]
        : [newest('events', eventColumns, [ofKind(`$${++parameters}`, kind)])]
  const kindName =
    kind === undefined || kind === securityKind ? kind : usualKinds.includes(kind) ? 'kind' : 'rare-kind'
  return {
    name: ['log-page', ...conditions.map(([name]) => name), ...(kindName ? [kindName] : [])].join('-'),
    text: `select e.at, e.ordinal, e.type, e.company_id as "companyId", e.lead_id as "leadId",
        e.project_id as "projectId", e.subject_id as "subjectId", e.actor_kind as "actorKind",
        e.actor_id as "actorId", e.actor_name as "actorName", e.changes, e.address, e.device, e.name, e.times, e."lastAt",
        nullif(concat_ws(' ', lead.first_name, lead.last_name), '') as customer
      from (select * from (${logs.join(' union all ')}) log order by at desc, ordinal desc limit $5) e left join lateral (
        select first_name, last_name from leads where installer_id = $1 and id = e.lead_id offset 0
      ) lead on true
      order by e.at desc, e.ordinal desc`,
  }
}

/** The newest first, those before a place in the log. */
export function listLog(
  db: Db,
  installerId: string,
  filter: LogFilter,
  before: LogPosition,
  limit: number,
): Promise<LoggedEvent[]> {
  const { companyId, recordId, actorId, kind, from } = filter
  const named = kind === securityKind ? undefined : kind
  const asked = [companyId ?? undefined, recordId, actorId, named].filter((value) => value !== undefined)
  return db.query<LoggedEvent>(pageStatement(filter), [
    installerId,
    before.at.toISOString(),
    before.ordinal,
    from.toISOString(),
    limit,
    ...asked,
  ])
}
