import {
  empty,
  type Fragment,
  join,
  type Params,
  param,
  params,
  raw,
  sql,
} from '../../../platform/sql/sql.ts'
import { stampOf, messagesPart as writtenMessages } from '../../journal/events/messages.ts'
import { limitOfRow } from '../storage/queries.ts'
import type { Column } from './column.ts'

/** One piece of a change: a few queries that write, and the values that they write. */
export interface Part {
  name: string
  /** Tells apart the texts that parts of one name can have. */
  form?: string
  text: (around: Around) => Fragment
  values: Readonly<Record<string, unknown>>
}

/** What a piece may ask of the whole. */
export interface Around {
  /** What to select from: it holds the time `clock.at`, and no row where the record was not written. */
  written: Fragment
  has(part: string): boolean
}

/** What all parts share. */
export interface Shared {
  installerId: string
  now: string
  directoryVersion: number
  leadId: string
  projectId: string | null
  companyId: string
  actorKind: string
  actorId: string | null
  actorName: string
  actorCompanyId: string
}
export const $: Params<Shared> = params<Shared>()

const json = (name: string) => sql`${param(name)}::json`

/** Where both records change, the project does after the lead: each has a time of its own. */
const projectAt = sql`(clock.at + interval '1 ms')`

/** A record made, made unless its key is taken, or changed in some of its columns if it still is what was read. */
export function recordPart<R extends { id: string; updatedAt: Date }>(
  name: 'lead' | 'project',
  columns: readonly Column<R>[],
  from: R | null,
  to: R,
  renderings: Readonly<Record<string, string | null>>,
  skipsExisting = false,
): Part {
  const rendered = Object.keys(renderings)
  const mode = from ? 'update' : skipsExisting ? 'insert once' : 'insert'
  const values: Record<string, unknown> = {}
  for (const [column, , , value] of columns) values[`${name}_${column}`] = value(to)
  for (const column of rendered) values[`${name}_${column}`] = renderings[column]
  if (from) values[`${name}_read_at`] = from.updatedAt.toISOString()
  return {
    name,
    form: `${name} ${mode} ${columns.map(([column]) => column).join()}`,
    values,
    text: ({ has }) => {
      const at = name === 'project' && has('lead') ? projectAt : sql`clock.at`
      const table = raw(`${name}s`)
      const sets: (readonly [Fragment, Fragment])[] = [
        ...columns.map(
          ([column, type]) => [raw(column), sql`${param(`${name}_${column}`)}::${raw(type)}`] as const,
        ),
        ...rendered.map(
          (column) =>
            [
              raw(column),
              sql`replace(${param(`${name}_${column}`)}::text, E'\\x02', ${stampOf(at)})`,
            ] as const,
        ),
      ]
      return from
        ? sql`${raw(name)} as (
            update ${table} r set updated_at = ${at}, ${join(sets.map(([column, value]) => sql`${column} = ${value}`))}
            from clock where r.installer_id = ${$.installerId} and r.id = ${param(`${name}Id`)}::text
              and r.updated_at = ${param(`${name}_read_at`)}::timestamptz returning r.id
          )`
        : sql`${raw(name)} as (
            insert into ${table} (installer_id, updated_at, ${join(sets.map(([column]) => column))})
            select ${$.installerId}, ${at}, ${join(sets.map(([, value]) => value))} from clock
            ${raw(skipsExisting ? 'on conflict do nothing' : '')} returning id
          ), ${raw(name)}_counted as (
            insert into ${raw(name)}_counts as c (installer_id, company_id, product_line, ${table})
            select ${$.installerId}, ${param(`${name}_company_id`)}::text, ${param(`${name}_product_line`)}::text, 1
            from ${raw(name)}
            on conflict (installer_id, company_id, product_line) do update set ${table} = c.${table} + 1
          )`
    },
  }
}

/** An item of the checklist is done, or is not after all; no record is written then. */
export const tickPart = (values: {
  ticked_at: string | null
  ticked_by: string | null
  ticked_stage: string
  ticked_label: string
  ticked: boolean
}): Part => ({
  name: 'ticked',
  values,
  text: () => sql`ticked as (
    update checklist_items c set done_at = ${param('ticked_at')}::timestamptz, done_by = ${param('ticked_by')}::text
    from clock
    where c.installer_id = ${$.installerId} and c.project_id = ${$.projectId}::text
      and c.stage_id = ${param('ticked_stage')}::text and c.label = ${param('ticked_label')}::text
      and (c.done_at is null) = ${param('ticked')}::boolean
    returning c.label
  )`,
})

const actingMember = sql`case when ${$.actorKind}::text = 'member' then ${$.actorId}::text end`

export const activitiesPart = (activities: readonly object[]): Part => ({
  name: 'activities',
  values: { activities: JSON.stringify(activities) },
  text: ({ written }) => sql`activities_written as (
    insert into activities (installer_id, id, lead_id, project_id, company_id, at, ordinal, type, body, internal,
      customer_facing, reply_to, about, member_id, author)
    select ${$.installerId}, a.id, ${$.leadId}::text, ${$.projectId}::text, ${$.actorCompanyId}::text, clock.at, a.ordinal,
      a.type, a.body, a.internal, a.customer_facing, a.reply_to, a.about, ${actingMember}, ${$.actorName}::text
    from ${written} cross join json_to_recordset(${json('activities')}) as a(id text, ordinal smallint, type text,
      body text, internal boolean, customer_facing boolean, reply_to text, about text)
  )`,
})

/** Records other than leads and projects come as they read, and change at the time of this statement. */
export const eventsPart = (events: readonly object[]): Part => ({
  name: 'events',
  values: { events: JSON.stringify(events) },
  text: ({ written }) => sql`events_written as (
    insert into events (installer_id, at, ordinal, type, company_id, lead_id, project_id, subject_id, actor_kind,
      actor_id, actor_name, changes, data)
    select ${$.installerId}, clock.at, e.ordinal, e.type, ${$.companyId}::text, ${$.leadId}::text, ${$.projectId}::text,
      e.subject_id, ${$.actorKind}::text, ${$.actorId}::text, ${$.actorName}::text, e.changes,
      e.data || jsonb_build_object('updated_at', ${stampOf(sql`clock.at`)})
    from ${written} cross join json_to_recordset(${json('events')}) as e(ordinal smallint, type text, subject_id text,
      changes jsonb, data jsonb)
  )`,
})

export const filesPart = (files: readonly object[]): Part => ({
  name: 'files',
  values: { files: JSON.stringify(files) },
  text: ({ written }) => sql`files_written as (
    insert into files (installer_id, project_id, company_id, added_at, added_by, ordinal, id, folder, name, source_url,
      source_hash, store_key, token, type, extension, inline, size, sha256)
    select ${$.installerId}, ${$.projectId}::text, ${$.companyId}::text, clock.at, ${actingMember}, f.ordinal, f.id,
      f.folder, f.name, f.source_url, decode(f.source_hash, 'hex'), f.store_key, f.token, f.type, f.extension, f.inline,
      f.size, decode(f.sha256, 'hex')
    from ${written} cross join json_to_recordset(${json('files')}) as f(ordinal smallint, id text, folder text,
      name text, source_url text, source_hash text, store_key text, token text, type text, extension text,
      inline boolean, size bigint, sha256 text)
  ), storage as (
    insert into storage_usage as s (installer_id, company_id, bytes)
    select ${$.installerId}, ${$.companyId}::text, sum(f.size)
    from ${written} cross join json_to_recordset(${json('files')}) as f(size bigint)
    having count(*) > 0
    on conflict (installer_id, company_id) do update set bytes = s.bytes + excluded.bytes
      where s.bytes + excluded.bytes <= ${limitOfRow}
    returning s.company_id
  )`,
})

export const fileRemovalPart = (id: string): Part => ({
  name: 'fileRemoval',
  values: { removedFile: id },
  text: ({ written }) => sql`file_removed as (
    update files f set revoked_at = clock.at from ${written}
    where f.installer_id = ${$.installerId} and f.id = ${param('removedFile')}::text and f.revoked_at is null
    returning f.company_id, f.size
  ), storage_freed as (
    update storage_usage s set bytes = greatest(0, s.bytes - r.size) from file_removed r
    where s.installer_id = ${$.installerId} and s.company_id = r.company_id
  )`,
})

export const fileTokensPart = (tokens: readonly { id: string; token: string }[]): Part => ({
  name: 'fileTokens',
  values: { fileTokens: JSON.stringify(tokens) },
  text: ({ written }) => sql`file_tokens_written as (
    update files f set token = t.token
    from ${written} cross join json_to_recordset(${json('fileTokens')}) as t(id text, token text)
    where f.installer_id = ${$.installerId} and f.id = t.id
  )`,
})

export const checklistPart = (stageId: string, labels: readonly string[]): Part => ({
  name: 'checklist',
  values: { checklistStage: stageId, checklist: labels },
  text: ({ written }) => sql`checklist_written as (
    insert into checklist_items (installer_id, project_id, stage_id, ordinal, label)
    select ${$.installerId}, ${$.projectId}::text, ${param('checklistStage')}::text, c.ordinal, c.label
    from ${written} cross join unnest(${param('checklist')}::text[]) with ordinality as c(label, ordinal)
    on conflict do nothing returning label
  )`,
})

export const notificationsPart = (notifications: readonly object[]): Part => ({
  name: 'notifications',
  values: { notifications: JSON.stringify(notifications) },
  text: ({ written }) => sql`notifications_written as (
    insert into notifications (installer_id, id, member_id, at, text, lead_id, project_id)
    select ${$.installerId}, n.id, n.member_id, clock.at, n.text, ${$.leadId}::text, ${$.projectId}::text
    from ${written} cross join json_to_recordset(${json('notifications')}) as n(id text, member_id text, text text)
  )`,
})

export const mailsPart = (mails: readonly object[]): Part => ({
  name: 'mails',
  values: { mails: JSON.stringify(mails) },
  text: ({ written }) => sql`mails_written as (
    insert into mails (installer_id, id, company_id, lead_id, to_address, subject, body, created_at, next_attempt_at,
      move_id)
    select ${$.installerId}, m.id, ${$.companyId}::text, ${$.leadId}::text, m.to_address, m.subject, m.body,
      ${$.now}::timestamptz, coalesce(m.at, ${$.now}::timestamptz), m.move_id
    from ${written} cross join json_to_recordset(${json('mails')})
      as m(id text, to_address text, subject text, body text, at timestamptz, move_id text)
  )`,
})

/** Where the record that is told of stands in the statement already. */
export const sources = {
  lead: 'lead_rendering',
  project: 'project_rendering',
  dealer: 'project_dealer_rendering',
}
export type Source = keyof typeof sources

const sourcesIn = (has: Around['has']): Fragment[] => [
  sql`when m.source is null then m.fields || '}'`,
  ...(Object.entries(sources) as [Source, string][])
    .filter(([source]) => has(source === 'dealer' ? 'project' : source))
    .map(([source, name]) => sql`when m.source = ${raw(`'${source}'`)} then right(${param(name)}::text, -1)`),
]

/** What is told of it; of the project at its time. */
export const messagesPart = (rows: string, count: number, actor: string): Part => ({
  name: 'messages',
  values: { messages: rows, messageCount: count, actorText: actor },
  text: ({ written, has }) =>
    writtenMessages({
      installerId: $.installerId,
      rows: json('messages'),
      more: sql`of_project boolean, source text`,
      fields: sql`case ${join(sourcesIn(has), ' ')} end`,
      actor: sql`${param('actorText')}`,
      at: sql`clock.at`,
      recordAt:
        has('lead') && has('project')
          ? sql`case when m.of_project then ${projectAt} else clock.at end`
          : sql`clock.at`,
      before: sql`clock.messages`,
      from: written,
    }),
})

/** Somebody listens. */
export const wakingPart: Part = { name: 'waking', values: {}, text: () => empty }
