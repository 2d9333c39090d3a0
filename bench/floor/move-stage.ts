import { type Directory, ladderOf } from '../../src/domain/kernel/tenant/directory.ts'
import type { ProductLine, Stage } from '../../src/domain/kernel/tenant/stage.ts'
import type { Statement } from '../../src/platform/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { message, tick } from './create-lead.ts'

/** A project's renderings of average length, written in the place of the one that a real move would render. */
export interface Renderings {
  row_rendering: string
  rendering: string
  legacy_rendering: string
}

export interface Move {
  statement: Statement
  values(projectId: string, leadId: string): unknown[]
}

/** For every stage of a ladder, what entering it writes: the rows that the server writes, and nothing else. */
export function stageMoves(directory: Directory, line: ProductLine, renderings: Renderings): Move[] {
  const ladder = ladderOf(directory, line)
  return ladder.map((stage, i) => stageMove(directory, stage, ladder.at(i - 1)!, renderings))
}

function stageMove(directory: Directory, stage: Stage, from: Stage, renderings: Renderings): Move {
  const { installerId } = directory
  const members = [...directory.members.values()].slice(0, stage.alerts.length)
  const alert = `Ada Moreno: the project is now in ${stage.name}`
  const changes = JSON.stringify({ stage: [from.name, stage.name] })
  const milestones = JSON.stringify(stage.milestone ? { [stage.milestone]: '2026-01-31' } : {})
  const constants = [
    stage.id,
    milestones,
    renderings.row_rendering,
    renderings.rendering,
    renderings.legacy_rendering,
    changes,
    `Moved from ${from.name} to ${stage.name}`,
    ...stage.checklist,
    ...(members.length > 0 ? [`Alerted ${members.map((m) => m.name).join(', ')}`, alert] : []),
    ...members.flatMap((m) => [m.id, m.email, `Hello ${m.name},\n\n${alert}.\n`]),
  ]
  const ids = 1 + (members.length > 0 ? 1 : 0) + 2 * members.length
  return {
    statement: moveStatement(stage.checklist.length, members.length),
    values: (projectId, leadId) => [
      installerId,
      new Date().toISOString(),
      projectId,
      leadId,
      ...constants,
      ...Array.from({ length: ids }, () => newId('act')),
    ],
  }
}

/** One text for all stages with as many checklist items and people to alert. */
function moveStatement(items: number, alerts: number): Statement {
  let parameters = 4
  const next = () => `$${++parameters}::text`
  const [stageId, milestones, row, full, legacy, changes, moved] = Array.from({ length: 7 }, next)
  const labels = Array.from({ length: items }, next)
  const [alerted, subject] = alerts > 0 ? [next(), next()] : []
  const people = Array.from({ length: alerts }, () => ({ member: next(), email: next(), body: next() }))

  const activities = [`(${next()}, 0, 'stageChanged', ${moved})`]
  if (alerts > 0) activities.push(`(${next()}, 1, 'alert', ${alerted})`)
  const told = { subject: '$3', lead: '$4', record: full! }
  const types = ['project.stage_changed', 'project.updated', ...(alerts > 0 ? ['team.alerted'] : [])]
  const entry = `'{"id":"act_01kfloor0000000000000000","type":"alert","body":' || to_json(${alerted})::text || '}'`
  const parts = [
    tick(types.length),
    ...types.map((type, i) => message(i, type, i === 2 ? { ...told, record: `(${entry})` } : told)),
    `project as (
      update projects r set updated_at = tick.at, stage_id = ${stageId}, stage_entered_at = $2,
        milestones = ${milestones}::jsonb, row_rendering = ${row}, rendering = ${full},
        legacy_rendering = ${legacy}
      from tick where r.installer_id = $1 and r.id = $3)`,
    `activities_written as (
      insert into activities (installer_id, id, lead_id, project_id, company_id, at, ordinal, type, body, internal, customer_facing, author)
      select $1, a.id, $4, $3, $1, tick.at, a.ordinal, a.type, a.body, false, false, 'bench'
      from tick, (values ${activities.join(', ')}) a(id, ordinal, type, body))`,
  ]
  if (items > 0) {
    parts.push(`checklist_written as (
      insert into checklist_items (installer_id, project_id, stage_id, ordinal, label)
      values ${labels.map((label, i) => `($1, $3, ${stageId}, ${i + 1}, ${label})`).join(', ')}
      on conflict do nothing)`)
  }
  if (alerts > 0) {
    const notified = people.map(({ member }) => `(${next()}, ${member})`)
    const mailed = people.map(({ email, body }) => `(${next()}, ${email}, ${body})`)
    parts.push(
      `notifications_written as (
        insert into notifications (installer_id, id, member_id, at, text, project_id)
        select $1, n.id, n.member_id, tick.at, ${subject}, $3 from tick, (values ${notified.join(', ')}) n(id, member_id))`,
      `mails_written as (
        insert into mails (installer_id, id, company_id, to_address, subject, body, created_at, next_attempt_at)
        select $1, m.id, $1, m.address, ${subject}, m.body, $2, $2 from (values ${mailed.join(', ')}) m(id, address, body))`,
    )
  }
  return {
    name: `floor-move-${items}-${alerts}`,
    text: `with ${parts.join(',\n')}
      insert into events (installer_id, at, ordinal, type, company_id, lead_id, project_id, subject_id, actor_kind, actor_id, actor_name, changes)
      select $1, tick.at, e.ordinal, e.type, $1, $4, $3, $3, 'key', 'key_01kfloor00000000000000000', 'bench', ${changes}::jsonb
      from tick, (values (0, 'project.stage_changed'), (1, 'project.updated')) e(ordinal, type)`,
  }
}
