import type { Statement } from '../../../platform/db.ts'
import { compile, type Fragment, raw } from '../../../platform/sql/sql.ts'
import { messagesPart, toldPart } from '../../journal/events/messages.ts'
import { limitOfRow } from '../storage/queries.ts'

/** A record made, made unless its key is taken, or changed in some of its columns. */
export interface Write {
  mode: 'insert' | 'insert once' | 'update'
  columns: readonly { name: string; type: string }[]
}

/** Which parts a change has; changes of one shape share one prepared statement. */
export interface Shape {
  lead: Write | null
  project: Write | null
  files: boolean
  fileRemoval: boolean
  fileTokens: boolean
  checklist: boolean
  notifications: boolean
  mails: boolean
  move: boolean
  installation: boolean
  once: boolean
  /** An item of the checklist is ticked or unticked; no record is written then. */
  tick: boolean
  calendar: readonly ('set' | 'clear')[]
  /** Endpoints may have to be told. */
  told: boolean
}

const installationColumns =
  'id, name, address, region, timezone, capacity_kw, panel_count, panels_kw, version, created_at'
const panelColumns = 'id, installation_id, name, capacity_kw, status, metadata, version, created_at'
const of = (record: string, columns: string) => columns.replace(/\w+/g, `${record}.$&`)

const installerId = raw('$1')
const textOf = (part: Fragment) => compile(part, {}).text

const statements = new Map<string, Statement>()

/**
 * One statement for a whole change. It advances the tenant's clock, which is also the tenant's lock,
 * writes the records if they still are what was read, and only then everything beside them. No row
 * comes back where the directory has changed meanwhile, or the one record written has. Where one of
 * two records has changed, the call was made before, or the company has no room for its files, it fails by dividing
 * by zero, so that nothing of it stays. Without a record, what is beside is written alone.
 *
 * Parameters: $1 installer, $2 now, $3 directory version, then those of each part in the order below.
 */
export function changeStatement(shape: Shape): Statement {
  const key = shapeKey(shape)
  const known = statements.get(key)
  if (known) return known

  let parameters = 3
  const next = (type: string) => `$${++parameters}::${type}`
  // Each record has a time of its own.
  const later = shape.lead && shape.project ? `interval '1 ms'` : `interval '0'`
  const parts = [
    `tick as (
      update tenant_clocks set now = greatest($2::timestamptz(3), now + interval '1 ms') + ${later}
        ${shape.told ? ', messages = messages + (select count(*) from told)' : ''}
      where installer_id = $1 and directory_version = $3
      returning now - ${later} as at ${shape.told ? ', messages' : ''}
    )`,
  ]

  const stampOf = (at: string) => `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const record = (table: string, { mode, columns }: Write, at: string, renderings: string[]) => {
    const stamp = stampOf(at)
    const sets = [
      ...columns.map(({ name, type }) => [name, next(type)]),
      ...renderings.map((name) => [name, `replace(${next('text')}, E'\\x02', ${stamp})`]),
    ]
    if (mode !== 'update') {
      const once = mode === 'insert once' ? 'on conflict do nothing' : ''
      return `insert into ${table} (installer_id, updated_at, ${sets.map(([name]) => name).join(', ')})
        select $1, ${at}, ${sets.map(([, value]) => value).join(', ')} from tick ${once} returning id`
    }
    return `update ${table} r set updated_at = ${at}, ${sets.map(([name, value]) => `${name} = ${value}`).join(', ')}
      from tick
      where r.installer_id = $1 and r.id = ${next('text')} and r.updated_at = ${next('timestamptz')} returning r.id`
  }

  if (shape.lead) parts.push(`lead as (${record('leads', shape.lead, 'tick.at', ['rendering'])})`)
  if (shape.project) {
    const at = shape.lead ? `(tick.at + interval '1 ms')` : 'tick.at'
    const renderings = ['row_rendering', 'rendering', 'dealer_rendering', 'legacy_rendering']
    parts.push(`project as (${record('projects', shape.project, at, renderings)})`)
  }

  if (shape.tick) {
    parts.push(`ticked as (
      update checklist_items c set done_at = ${next('timestamptz')}, done_by = ${next('text')} from tick
      where c.installer_id = $1 and c.project_id = ${next('text')} and c.stage_id = ${next('text')} and c.label = ${next('text')}
        and (c.done_at is null) = ${next('boolean')}
      returning c.label
    )`)
  }

  // The rest waits for the record: nothing is written beside a record that was not.
  const firstRecord = shape.lead ? 'lead' : shape.project ? 'project' : shape.tick ? 'ticked' : null
  const written = firstRecord ? `tick cross join ${firstRecord}` : 'tick'
  const leadId = next('text')
  const projectId = next('text')
  const companyId = next('text')
  const actor = { kind: next('text'), id: next('text'), name: next('text'), companyId: next('text') }

  parts.push(`activities_written as (
    insert into activities (installer_id, id, lead_id, project_id, company_id, at, ordinal, type, body, internal, customer_facing, reply_to, about, member_id, author)
    select $1, a.id, ${leadId}, ${projectId}, ${actor.companyId}, tick.at, a.ordinal, a.type, a.body, a.internal, a.customer_facing, a.reply_to, a.about,
      case when ${actor.kind} = 'member' then ${actor.id} end, ${actor.name}
    from ${written} cross join json_to_recordset(${next('json')}) as a(id text, ordinal smallint, type text, body text, internal boolean, customer_facing boolean, reply_to text, about text)
  )`)
  parts.push(`events_written as (
    insert into events (installer_id, at, ordinal, type, company_id, lead_id, project_id, subject_id, actor_kind, actor_id, actor_name, changes, data)
    select $1, tick.at, e.ordinal, e.type, ${companyId}, ${leadId}, ${projectId}, e.subject_id, ${actor.kind}, ${actor.id}, ${actor.name}, e.changes, e.data
    from ${written} cross join json_to_recordset(${next('json')}) as e(ordinal smallint, type text, subject_id text, changes jsonb, data jsonb)
  )`)
  if (shape.files) {
    const files = next('json')
    parts.push(`files_written as (
      insert into files (installer_id, project_id, company_id, added_at, added_by, ordinal, id, folder, name, source_url, source_hash, store_key, token, type, extension, inline, size, sha256)
      select $1, ${projectId}, ${companyId}, tick.at, case when ${actor.kind} = 'member' then ${actor.id} end, f.ordinal, f.id, f.folder, f.name, f.source_url, decode(f.source_hash, 'hex'), f.store_key, f.token, f.type, f.extension, f.inline, f.size, decode(f.sha256, 'hex')
      from ${written} cross join json_to_recordset(${files}) as f(ordinal smallint, id text, folder text, name text, source_url text, source_hash text, store_key text, token text, type text, extension text, inline boolean, size bigint, sha256 text)
    )`)
    parts.push(`storage as (
      insert into storage_usage as s (installer_id, company_id, bytes)
      select $1, ${companyId}, sum(f.size) from ${written} cross join json_to_recordset(${files}) as f(size bigint)
      having count(*) > 0
      on conflict (installer_id, company_id) do update set bytes = s.bytes + excluded.bytes
        where s.bytes + excluded.bytes <= ${limitOfRow}
      returning s.company_id
    )`)
  }
  if (shape.fileRemoval) {
    parts.push(`file_removed as (
      update files f set revoked_at = tick.at from ${written}
      where f.installer_id = $1 and f.id = ${next('text')} and f.revoked_at is null
      returning f.company_id, f.size
    ), storage_freed as (
      update storage_usage s set bytes = greatest(0, s.bytes - r.size) from file_removed r
      where s.installer_id = $1 and s.company_id = r.company_id
    )`)
  }
  if (shape.fileTokens) {
    parts.push(`file_tokens_written as (
      update files f set token = t.token
      from ${written} cross join json_to_recordset(${next('json')}) as t(id text, token text)
      where f.installer_id = $1 and f.id = t.id
    )`)
  }
  if (shape.checklist) {
    parts.push(`checklist_written as (
      insert into checklist_items (installer_id, project_id, stage_id, ordinal, label)
      select $1, ${projectId}, ${next('text')}, c.ordinal, c.label
      from ${written} cross join unnest(${next('text[]')}) with ordinality as c(label, ordinal)
      on conflict do nothing returning label
    )`)
  }
  if (shape.notifications) {
    parts.push(`notifications_written as (
      insert into notifications (installer_id, id, member_id, at, text, lead_id, project_id)
      select $1, n.id, n.member_id, tick.at, n.text, ${leadId}, ${projectId}
      from ${written} cross join json_to_recordset(${next('json')}) as n(id text, member_id text, text text)
    )`)
  }
  if (shape.mails) {
    parts.push(`mails_written as (
      insert into mails (installer_id, id, company_id, lead_id, to_address, subject, body, created_at, next_attempt_at, move_id)
      select $1, m.id, ${companyId}, ${leadId}, m.to_address, m.subject, m.body, $2, coalesce(m.at, $2), m.move_id
      from ${written} cross join json_to_recordset(${next('json')})
        as m(id text, to_address text, subject text, body text, at timestamptz, move_id text)
    )`)
  }
  if (shape.move) {
    const put = shape.checklist ? `array(select label from checklist_written)` : `'{}'::text[]`
    parts.push(`move_written as (
      insert into stage_moves as s (installer_id, project_id, at, id, from_stage_id, to_stage_id, entered_at, milestone,
        installation_id, checklist, undo_until, lead_status)
      select $1, ${projectId}, tick.at, ${['text', 'text', 'text', 'timestamptz', 'text', 'text'].map(next).join()}, ${put},
        ${next('timestamptz')}, ${next('text')}
      from ${written}
      on conflict (installer_id, project_id) do update set at = excluded.at, id = excluded.id,
        from_stage_id = excluded.from_stage_id, to_stage_id = excluded.to_stage_id, entered_at = excluded.entered_at,
        milestone = excluded.milestone, installation_id = excluded.installation_id, checklist = excluded.checklist,
        undo_until = excluded.undo_until, lead_status = excluded.lead_status
    )`)
  }
  if (shape.installation) {
    const [installation, panels] = [next('json'), next('json')]
    parts.push(
      `installation_written as (
        insert into installations (installer_id, company_id, project_id, ${installationColumns})
        select $1, ${companyId}, ${projectId}, ${of('i', installationColumns)}
        from ${written} cross join json_populate_record(null::installations, ${installation}) i
      )`,
      `installation_counted as (
        insert into installation_counts as c (installer_id, company_id, region, installations, changes)
        select $1, ${companyId}, i.region, 1, 1
        from ${written} cross join json_populate_record(null::installations, ${installation}) i
        on conflict (installer_id, company_id, region)
          do update set installations = c.installations + 1, changes = c.changes + 1
      )`,
      `panels_written as (
        insert into panels (installer_id, company_id, ${panelColumns})
        select $1, ${companyId}, ${of('p', panelColumns)}
        from ${written} cross join json_populate_recordset(null::panels, ${panels}) p
      )`,
      `panels_counted as (
        insert into panel_counts as c (installer_id, company_id, status, panels, changes)
        select $1, ${companyId}, p.status, count(*), 1
        from ${written} cross join json_populate_recordset(null::panels, ${panels}) p group by p.status
        on conflict (installer_id, company_id, status) do update set panels = c.panels + excluded.panels, changes = c.changes + 1
      )`,
    )
  }
  if (shape.once) {
    parts.push(`once as (
      insert into idempotency_keys (installer_id, company_id, key, request_hash, answer, created_at)
      select $1, ${actor.companyId}, ${next('text')}, ${next('text')}, ${next('jsonb')}, $2 from ${written}
      on conflict do nothing returning key
    )`)
  }
  for (const [i, way] of shape.calendar.entries()) {
    parts.push(
      way === 'set'
        ? `calendar_${i} as (
      insert into calendar_entries (installer_id, project_id, kind, day)
      select $1, ${projectId}, ${next('text')}, ${next('date')} from ${written}
      on conflict (installer_id, project_id, kind) do update set day = excluded.day
    )`
        : `calendar_${i} as (
      delete from calendar_entries c using ${written}
      where c.installer_id = $1 and c.project_id = ${projectId} and c.kind = ${next('text')}
    )`,
    )
  }

  if (shape.told) {
    // How many there are must be known to the clock.
    const rows = raw(next('json'))
    parts.unshift(textOf(toldPart({ installerId, rows }, raw('of_project boolean, data text'))))
    const at = `case when m.of_project then tick.at + ${later} else tick.at end`
    const version = `(extract(epoch from ${at}) * 1000)::bigint::text`
    const data = `replace(replace(m.data, E'\\x02', ${stampOf(at)}), E'\\x04', ${version})`
    const body = `'{"type":"' || m.type || '","timestamp":"' || ${stampOf('tick.at')} || '","data":' || ${data} || '}'`
    parts.push(
      textOf(
        messagesPart(
          { installerId },
          { at: raw('tick.at'), newest: raw('tick.messages'), body: raw(body), from: raw(written) },
        ),
      ),
    )
  }

  const all = [
    shape.lead && 'lead',
    shape.project && 'project',
    shape.once && 'once',
    shape.files && 'storage',
  ].filter((part) => part)
  const told = shape.told ? ', wake_webhooks($1)' : ''
  const done =
    all.length > 1
      ? `select tick.at${told}, ${all.map((part) => `1 / (select count(*) from ${part})`).join(' + ')} as done from tick`
      : `select tick.at${told} from ${written}`
  // Names are cut off at 63 bytes, so shapes are numbered.
  const statement: Statement = {
    shared: 'write',
    name: `change-${statements.size + 1}`,
    text: `with ${parts.join(',\n')}\n${done}`,
  }
  statements.set(key, statement)
  return statement
}

function shapeKey({ lead, project, ...parts }: Shape): string {
  const write = (record: Write | null) =>
    record ? `${record.mode} ${record.columns.map((c) => c.name).join()}` : '-'
  return `${write(lead)} ${write(project)} ${Object.values(parts).join()}`
}
