import type { Db } from '../../../platform/db.ts'
import { instant, integer, json, row, select, text } from '../../../platform/sql/row.ts'
import { empty, type Fragment, join, type Params, pick, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many } from '../../../platform/sql/statements.ts'

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

const loggedEvent = row<LoggedEvent>({
  at: instant,
  ordinal: integer,
  type: text,
  companyId: text,
  leadId: text,
  projectId: text,
  subjectId: text,
  actorKind: text,
  actorId: text,
  actorName: text,
  changes: json,
  name: text,
  customer: text,
  address: text,
  device: text,
  times: integer,
  lastAt: instant,
})

interface Asked extends LogFilter, LogPosition {
  installerId: string
  /** Which logs it is read from, and by which index. */
  logs: 'all' | 'security' | 'usual' | 'rare'
  limit: number
}

/** Each condition as its index has it: the database uses none whose words it does not find. */
const pageOfLog = many(loggedEvent, ($: Params<Asked>) => {
  // Two bounds, and the record in the order: whatever else there is in the log, the record's index is gone by.
  const record = sql`coalesce(e.lead_id, e.subject_id)`
  /** The newest of one log, each read by its own index before both are put together. */
  const newest = (table: string, columns: Fragment, more = empty) => sql`(
      select e.at, e.ordinal::int as ordinal, e.type, e.company_id, e.lead_id, e.project_id, e.subject_id, e.actor_kind,
        e.actor_id, e.actor_name, e.changes, e.address, e.device, ${columns}
      from ${raw(table)} e
      where e.installer_id = ${$.installerId} and (e.at, e.ordinal) < (${$.at}::timestamptz, ${$.ordinal}::int)
        and e.at >= ${$.from}::timestamptz
        ${when($.companyId, sql`and e.company_id <> e.installer_id and e.company_id = ${$.companyId}`)}
        ${when($.recordId, sql`and ${record} between ${$.recordId} and ${$.recordId}`)}
        ${when($.actorId, sql`and e.actor_id is not null and e.actor_id = ${$.actorId}`)} ${more}
      order by ${when($.recordId, sql`${record} desc,`)} e.at desc, e.ordinal desc limit ${$.limit})`
  const events = (more = empty) =>
    newest(
      'events',
      sql`coalesce(e.data->>'name', e.data->>'number', e.data->>'title') as name, 1 as times, e.at as last_at`,
      more,
    )
  const trail = newest(
    'security_events',
    sql`coalesce(e.name, (
        select f.name from files f where f.installer_id = ${$.installerId} and f.id = e.subject_id)) as name,
      e.times, e.last_at`,
  )
  const kindOf = sql`split_part(e.type, '.', 1)`
  // Of a record there is little: by the index of rare kinds, all of a kind that the company has would be gone through.
  const rare = when($.recordId, empty, sql`and ${kindOf} not in ('lead', 'project')`)
  const logs = pick($.logs, {
    all: sql`${events()} union all ${trail}`,
    security: join(
      [trail, ...kindsOfSafety.map((kind) => events(sql`and ${kindOf} = '${raw(kind)}' ${rare}`))],
      ' union all ',
    ),
    usual: events(sql`and ${kindOf} = ${$.kind}`),
    rare: events(sql`and ${kindOf} = ${$.kind} ${rare}`),
  })
  return sql`select ${select(loggedEvent, 'e', {
    customer: sql`nullif(concat_ws(' ', lead.first_name, lead.last_name), '')`,
  })}
    from (select * from (${logs}) log order by at desc, ordinal desc limit ${$.limit}) e left join lateral (
      select first_name, last_name from leads where installer_id = ${$.installerId} and id = e.lead_id offset 0
    ) lead on true
    order by e.at desc, e.ordinal desc`
})

/** The newest first, those before a place in the log. */
export function listLog(db: Db, asked: Omit<Asked, 'logs'>): Promise<LoggedEvent[]> {
  return pageOfLog(db, { ...asked, logs: logsOf(asked.kind) })
}

function logsOf(kind: string | undefined): Asked['logs'] {
  if (kind === undefined) return 'all'
  if (kind === securityKind) return 'security'
  return usualKinds.includes(kind) ? 'usual' : 'rare'
}
