import type { Db, Statement } from '../../platform/db.ts'

/** An event of the log, with what is needed to tell what it was about. */
export interface LoggedEvent {
  at: Date
  ordinal: number
  type: string
  companyId: string
  leadId: string | null
  projectId: string | null
  subjectId: string
  actorKind: 'key' | 'member' | 'job'
  actorId: string | null
  actorName: string | null
  changes: Record<string, [from: unknown, to: unknown]>
  /** What the thing was called when it happened. */
  name: string | null
  customer: string | null
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
  if (kind !== undefined) {
    const rare = usualKinds.includes(kind) ? '' : ` and ${kindOf} not in ('lead', 'project')`
    conditions.push([rare ? 'rare-kind' : 'kind', `${kindOf} = $${++parameters}${rare}`])
  }
  return {
    name: ['log-page', ...conditions.map(([name]) => name)].join('-'),
    text: `select e.at, e.ordinal::int as ordinal, e.type, e.company_id as "companyId", e.lead_id as "leadId",
        e.project_id as "projectId", e.subject_id as "subjectId", e.actor_kind as "actorKind",
        e.actor_id as "actorId", e.actor_name as "actorName", e.changes,
        coalesce(e.data->>'name', e.data->>'number', e.data->>'title') as name,
        nullif(concat_ws(' ', lead.first_name, lead.last_name), '') as customer
      from events e left join lateral (
        select first_name, last_name from leads where installer_id = $1 and id = e.lead_id offset 0
      ) lead on true
      where e.installer_id = $1 and (e.at, e.ordinal) < ($2::timestamptz, $3::int) and e.at >= $4::timestamptz
        ${conditions.map(([, text]) => `and ${text}`).join(' ')}
      order by e.at desc, e.ordinal desc limit $5`,
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
  const asked = [companyId ?? undefined, recordId, actorId, kind].filter((value) => value !== undefined)
  return db.query<LoggedEvent>(pageStatement(filter), [
    installerId,
    before.at.toISOString(),
    before.ordinal,
    from.toISOString(),
    limit,
    ...asked,
  ])
}
