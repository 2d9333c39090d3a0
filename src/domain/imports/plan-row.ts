import type { Effects } from '../changes/change.ts'
import type { Deal } from '../changes/deal.ts'
import { erased } from '../changes/refuse-erased.ts'
import { type Directory, memberByEmail } from '../companies/directory.ts'
import type { Context } from '../context.ts'
import { DomainError } from '../domain-error.ts'
import { beginLead } from '../leads/begin-lead.ts'
import type { Lead } from '../leads/lead.ts'
import { type LeadPatch, patchLead } from '../leads/patch-lead.ts'
import { beginProject } from '../projects/begin-project.ts'
import type { ImportField } from './fields.ts'
import { leadPatchOf, missingOf, newLeadOf, type RowLead, readLead } from './lead-of-row.ts'
import { type Models, type RowSale, readSale, saleOf, saysProject } from './project-of-row.ts'
import { type FileRow, type RowProblem, refusal, remark } from './row-values.ts'

/** What a row would do. */
export type RowPlan = { problems: RowProblem[] } & (
  | { outcome: 'made'; deal: Deal; effects: Effects }
  | { outcome: 'updated'; before: Deal; lead: Lead; effects: Effects }
  | { outcome: 'unchanged' | 'refused' }
)

export interface Planning {
  ctx: Context
  directory: Directory
  models: Models
  /** How the file names the column of a field. */
  columnOf: (field: ImportField) => string
}

/** Decides by the rules of the API what a row does to the lead it names, or that it makes one. */
export async function planRow(planning: Planning, row: FileRow, known: Deal | null): Promise<RowPlan> {
  const { lead, problems: leadProblems } = readLead(row.values)
  const sold = saysProject(row.values)
  const read = sold && !known ? readSale(row.values) : null
  const problems = [...row.problems, ...leadProblems, ...(read?.problems ?? [])]
  if (!known) problems.push(...missingOf(lead, sold))
  if (problems.length > 0) return { outcome: 'refused', problems }
  try {
    if (known?.lead.erasedAt) throw erased()
    if (known) return planUpdate(planning, lead, known, sold)
    return await planNew(planning, lead, read?.sale ?? null)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { outcome: 'refused', problems: [refusal(null, error.message)] }
  }
}

async function planNew(planning: Planning, row: RowLead, sale: RowSale | null): Promise<RowPlan> {
  const { ctx, directory, models, columnOf } = planning
  const { lead, effects, unassigned } = beginLead(ctx, directory, newLeadOf(row))
  const problems = unassigned.map((email) => {
    const field = email === row.texts.salesRepEmail ? 'salesRepEmail' : 'setterEmail'
    return remark(field, `nobody who works for your company has the email ${email}: the lead is made without`)
  })
  if (!sale) return { outcome: 'made', deal: { lead, project: null, files: [] }, effects, problems }
  const { sale: terms, stage } = await saleOf(ctx, directory, lead, sale, models, columnOf)
  const begun = beginProject(lead, terms, stage, directory, ctx.now)
  const { project } = begun.deal
  const { installDate } = sale
  return {
    outcome: 'made',
    problems,
    deal: {
      ...begun.deal,
      project: {
        ...project,
        soldAt: project.contractSignedAt ?? project.soldAt,
        milestones: { ...project.milestones, ...(installDate ? { installScheduled: installDate } : {}) },
      },
    },
    effects: {
      ...quietly(begun.effects),
      activities: [...effects.activities, ...quietly(begun.effects).activities],
      events: [...effects.events, ...begun.effects.events],
      ...(installDate ? { calendar: [{ kind: 'install' as const, day: installDate }] } : {}),
    },
  }
}

/** What is brought along was sold long ago: nobody is alerted and no customer gets a mail. */
function quietly({ notifications, mails, ...effects }: Effects): Effects {
  const told = ['alert', 'message']
  return { ...effects, activities: effects.activities.filter(({ type }) => !told.includes(type)) }
}

function planUpdate({ ctx, directory }: Planning, row: RowLead, before: Deal, sold: boolean): RowPlan {
  const problems: RowProblem[] = []
  const patch: LeadPatch = leadPatchOf(row)
  // A sold lead is sold in the file too.
  if (before.lead.status === 'sold' || row.status === 'sold') delete patch.status
  for (const [slot, field] of [
    ['salesRepId', 'salesRepEmail'],
    ['setterId', 'setterEmail'],
  ] as const) {
    const email = row.texts[field]
    if (!email) continue
    const member = memberByEmail(directory, ctx.actor.companyId, email)
    if (member) patch[slot] = member.id
    else
      problems.push(remark(field, `nobody who works for your company has the email ${email}: left as it was`))
  }
  if (sold && !before.project)
    problems.push(remark(null, 'the lead is here already: mark it as sold there, its project is not made'))
  const changed = patchLead(before, patch, directory)
  if (!changed) return { outcome: 'unchanged', problems }
  return { outcome: 'updated', before, ...changed, problems }
}
