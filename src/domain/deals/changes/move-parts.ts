import { join, param, raw, sql } from '../../../platform/sql/sql.ts'
import { expiryOf, keptForm } from '../../journal/idempotency/call.ts'
import type { Effects, NewMove } from './change.ts'
import { $, type Part } from './statement-parts.ts'

/** What a project's moves and days bring with them. */

const json = (name: string) => sql`${param(name)}::json`

export const movePart = (move: NewMove): Part => ({
  name: 'move',
  values: {
    moveId: move.id,
    fromStage: move.fromStageId,
    toStage: move.toStageId,
    enteredAt: move.enteredAt.toISOString(),
    milestone: move.milestone,
    installationId: move.installationId,
    undoUntil: move.undoUntil.toISOString(),
    leadStatus: move.leadStatus,
  },
  text: ({ written, has }) => sql`move_written as (
    insert into stage_moves as s (installer_id, project_id, at, id, from_stage_id, to_stage_id, entered_at, milestone,
      installation_id, checklist, undo_until, lead_status)
    select ${$.installerId}, ${$.projectId}::text, clock.at, ${param('moveId')}::text, ${param('fromStage')}::text,
      ${param('toStage')}::text, ${param('enteredAt')}::timestamptz, ${param('milestone')}::text,
      ${param('installationId')}::text,
      ${has('checklist') ? sql`array(select label from checklist_written)` : sql`'{}'::text[]`},
      ${param('undoUntil')}::timestamptz, ${param('leadStatus')}::text
    from ${written}
    on conflict (installer_id, project_id) do update set at = excluded.at, id = excluded.id,
      from_stage_id = excluded.from_stage_id, to_stage_id = excluded.to_stage_id, entered_at = excluded.entered_at,
      milestone = excluded.milestone, installation_id = excluded.installation_id, checklist = excluded.checklist,
      undo_until = excluded.undo_until, lead_status = excluded.lead_status
  )`,
})

const installationColumns = [
  ...['id', 'name', 'address', 'region', 'timezone', 'capacity_kw', 'panel_count', 'panels_kw', 'version'],
  'created_at',
]
const panelColumns = [
  'id',
  'installation_id',
  'name',
  'capacity_kw',
  'status',
  'metadata',
  'version',
  'created_at',
]
const names = (columns: readonly string[], alias = '') =>
  join(columns.map((column) => raw(`${alias}${column}`)))

/** What a finished project becomes. */
export const installationPart = (installation: object, panels: readonly object[]): Part => ({
  name: 'installation',
  values: { installation: JSON.stringify(installation), panels: JSON.stringify(panels) },
  text: ({ written }) => {
    const made = sql`${written} cross join json_populate_record(null::installations, ${json('installation')}) i`
    const panelsMade = sql`${written} cross join json_populate_recordset(null::panels, ${json('panels')}) p`
    return sql`installation_written as (
      insert into installations (installer_id, company_id, project_id, updated_at, ${names(installationColumns)})
      select ${$.installerId}, ${$.companyId}::text, ${$.projectId}::text, clock.at, ${names(installationColumns, 'i.')}
      from ${made}
    ), installation_counted as (
      insert into installation_counts as c (installer_id, company_id, region, installations, changes)
      select ${$.installerId}, ${$.companyId}::text, i.region, 1, 1 from ${made}
      on conflict (installer_id, company_id, region)
        do update set installations = c.installations + 1, changes = c.changes + 1
    ), panels_written as (
      insert into panels (installer_id, company_id, updated_at, ${names(panelColumns)})
      select ${$.installerId}, ${$.companyId}::text, clock.at, ${names(panelColumns, 'p.')} from ${panelsMade}
    ), panels_counted as (
      insert into panel_counts as c (installer_id, company_id, status, panels, changes)
      select ${$.installerId}, ${$.companyId}::text, p.status, count(*), 1 from ${panelsMade} group by p.status
      on conflict (installer_id, company_id, status)
        do update set panels = c.panels + excluded.panels, changes = c.changes + 1
    )`
  },
})

/** The key that a repeated call names. */
export const idempotencyPart = ({ call, answer }: NonNullable<Effects['idempotency']>, now: Date): Part => ({
  name: 'idempotency',
  values: {
    idempotencyKey: call.key,
    requestHash: call.requestHash,
    claim: call.claim,
    answerStatus: answer.status,
    answer: keptForm(call, answer),
    answersExpired: expiryOf(now).toISOString(),
  },
  // Written over are only what is no longer kept and what this very try has begun.
  text: ({ written }) => sql`idempotency as (
    insert into idempotency_keys as k (installer_id, company_id, key, request_hash, status, answer, created_at)
    select ${$.installerId}, ${$.actorCompanyId}::text, ${param('idempotencyKey')}::text, ${param('requestHash')}::text,
      ${param('answerStatus')}::integer, ${param('answer')}::jsonb, ${$.now}::timestamptz from ${written}
    on conflict (installer_id, company_id, key) do update set request_hash = excluded.request_hash,
      status = excluded.status, answer = excluded.answer, created_at = excluded.created_at, claim = null, claimed_until = null
      where k.created_at <= ${param('answersExpired')}::timestamptz or k.status is null and k.claim = ${param('claim')}::text
    returning key
  )`,
})

/** A day puts the project on the calendar, null takes it off. */
export function calendarPart({ kind, day }: NonNullable<Effects['calendar']>[number]): Part {
  const name = `calendar_${kind}`
  const ofKind = sql`${param(`${kind}Kind`)}::text`
  return {
    name,
    form: `${name} ${day === null ? 'cleared' : 'set'}`,
    values: { [`${kind}Kind`]: kind, [`${kind}Day`]: day },
    text: ({ written }) =>
      day === null
        ? sql`${raw(name)} as (
            delete from calendar_entries c using ${written}
            where c.installer_id = ${$.installerId} and c.project_id = ${$.projectId}::text and c.kind = ${ofKind}
          )`
        : sql`${raw(name)} as (
            insert into calendar_entries (installer_id, project_id, kind, day)
            select ${$.installerId}, ${$.projectId}::text, ${ofKind}, ${param(`${kind}Day`)}::date from ${written}
            on conflict (installer_id, project_id, kind) do update set day = excluded.day
          )`,
  }
}
