import type { Effects } from '../../deals/changes/change.ts'
import type { Deal } from '../../deals/changes/deal.ts'
import { erased } from '../../deals/changes/refuse-erased.ts'
import type { Lead } from '../../deals/leads/lead.ts'
import { type LeadPatch, patchLead } from '../../deals/leads/patch-lead.ts'
import { prepareLead } from '../../deals/leads/prepare-lead.ts'
import { startProject } from '../../deals/sale/sell-lead.ts'
import type { Context } from '../../kernel/context.ts'
import { dayIn } from '../../kernel/days.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'
import type { ImportField } from './fields.ts'
import { findRep } from './find-rep.ts'
import { leadPatchOf, missingOf, newLeadOf, type RowLead, readLead } from './lead-of-row.ts'
import { type RowSale, readSale, saysProject } from './project-of-row.ts'
import { type FileRow, leftOut, type RowProblem, refusal, remark } from './row-values.ts'
import { type Models, saleOf } from './sale-of-row.ts'

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
  if (problems.some(({ refused }) => refused)) return refusedFor(problems)
  try {
    if (known?.lead.erasedAt) throw erased()
    const plan = known
      ? planUpdate(planning, lead, known, sold)
      : await planNew(planning, lead, read?.sale ?? null)
    return { ...plan, problems: [...problems, ...plan.problems] }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return refusedFor([...problems, refusal(null, error.message)])
  }
}

/** Nothing of the row is taken, so neither is what could have been left out of it. */
function refusedFor(problems: readonly RowProblem[]): RowPlan {
  return { outcome: 'refused', problems: problems.map((problem) => ({ ...problem, refused: true })) }
}

const staff = [
  ['salesRepId', 'salesRepEmail'],
  ['setterId', 'setterEmail'],
] as const

/** The rep and the setter that a row names, by the slot they are put in. */
function staffOf({ ctx, directory }: Planning, { texts }: RowLead, problems: RowProblem[]) {
  const found: { salesRepId?: string; setterId?: string } = {}
  for (const [slot, field] of staff) {
    const text = texts[field]
    if (!text) continue
    const rep = findRep(directory, ctx.actor.companyId, text)
    if ('member' in rep) found[slot] = rep.member.id
    else problems.push(leftOut(field, rep.reason))
  }
  return found
}

async function planNew(planning: Planning, row: RowLead, sale: RowSale | null): Promise<RowPlan> {
  const { ctx, directory, models, columnOf } = planning
  const problems: RowProblem[] = []
  const begunLead = prepareLead(ctx, directory, { ...newLeadOf(row), ...staffOf(planning, row, problems) })
  const { effects } = begunLead
  const { timezone } = directory.companies.get(begunLead.lead.companyId)!
  const past = (field: ImportField, day: string | null | undefined) => {
    const at = day ? pastDay(timezone, day, ctx.now) : null
    if (day && !at) problems.push(leftOut(field, `${day} is not a past date, 2000 or later`))
    return at
  }
  const lead = {
    ...begunLead.lead,
    createdAt: past('createdOn', row.texts.createdOn) ?? begunLead.lead.createdAt,
  }
  if (!sale) return { outcome: 'made', deal: { lead, project: null, files: [] }, effects, problems }
  const {
    sale: terms,
    stage,
    problems: saleProblems,
  } = await saleOf(ctx, directory, lead, sale, models, columnOf)
  problems.push(...saleProblems)
  const begun = startProject(lead, terms, stage, directory, ctx.now)
  const { project } = begun.deal
  const { installDate } = sale
  return {
    outcome: 'made',
    problems,
    deal: {
      ...begun.deal,
      project: {
        ...project,
        stageEnteredAt: past('stageSince', sale.stageSince) ?? project.stageEnteredAt,
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

/** The middle of a day that has come, in the company's zone; null for another one. */
export function pastDay(timezone: string, day: string, now: Date): Date | null {
  if (day < '2000-01-01' || day > dayIn(timezone, now)) return null
  const noon = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: timezone, plainTime: '12:00' })
  return new Date(Math.min(noon.epochMilliseconds, now.getTime()))
}

/** What is brought along was sold long ago: nobody is alerted and no customer gets a mail. */
export function quietly({ notifications, mails, ...effects }: Effects): Effects {
  const told = ['alert', 'message']
  return { ...effects, activities: effects.activities.filter(({ type }) => !told.includes(type)) }
}

function planUpdate(planning: Planning, row: RowLead, before: Deal, sold: boolean): RowPlan {
  const problems: RowProblem[] = []
  const patch: LeadPatch = { ...leadPatchOf(row), ...staffOf(planning, row, problems) }
  // A sold lead is sold in the file too.
  if (before.lead.status === 'sold' || row.status === 'sold') delete patch.status
  if (sold && !before.project)
    problems.push(remark(null, 'the lead is here already: mark it as sold there, its project is not made'))
  const changed = patchLead(before, patch, planning.directory)
  if (!changed) return { outcome: 'unchanged', problems }
  return { outcome: 'updated', before, ...changed, problems }
}
