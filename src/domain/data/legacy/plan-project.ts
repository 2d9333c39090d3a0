import { isReference } from '../../../platform/ids.ts'
import type { Effects } from '../../deals/changes/change.ts'
import type { Deal, SoldDeal } from '../../deals/changes/deal.ts'
import { enterStage } from '../../deals/projects/enter-stage.ts'
import { laterThan } from '../../deals/projects/move-stage.ts'
import type { Project } from '../../deals/projects/project.ts'
import { firstStage, startProject } from '../../deals/sale/sell-lead.ts'
import { dayIn } from '../../kernel/days.ts'
import { type Directory, installerOf } from '../../kernel/tenant/directory.ts'
import { pastDay, quietly } from '../imports/plan-row.ts'
import { customerKey, customerOf, type LegacyCustomer, linkKey } from './customer-of-reading.ts'
import { type Merged, markOf, marksOf, merge } from './marks.ts'
import { isNobody, mergeCustomer, newLead, refusedFor } from './plan-lead.ts'
import { type Known, keptHere, type MetRecord, type Planning, type RecordPlan } from './planning.ts'
import { type LegacyProject, projectOf } from './project-of-reading.ts'
import { createReader } from './reader.ts'
import type { Marks } from './source.ts'

/** Decides what a project of the old server does here: sells its lead, makes both, changes what it made, or nothing. */
export function planProject(planning: Planning, met: MetRecord, known: Known): RecordPlan {
  const { ctx, directory, rules } = planning
  const { deal } = known
  const reader = createReader(met.reading)
  const { status: _, ...customer } = customerOf(
    reader,
    directory,
    deal?.lead.companyId ?? ctx.actor.companyId,
  )
  const said = projectOf(reader, directory, met.list.productLine, rules)
  const shared = { linkKey: linkKey(reader), customerKey: customerKey(customer), problems: reader.problems }
  if (deal?.lead.erasedAt)
    return { ...shared, outcome: 'unchanged', change: null, marks: {}, linkKey: null, customerKey: null }
  if (deal?.project)
    return {
      ...shared,
      ...planChange(planning, met, known, deal as SoldDeal, customer, said, shared.problems),
    }
  if (!deal && isNobody(customer)) return refusedFor(met, 'it says nothing about a customer')

  const begun = deal ? null : newLead(planning, customer, met.list.productLine)
  const { after, effects } = sell(planning, begun?.lead ?? deal!.lead, said, met, known)
  return {
    ...shared,
    outcome: 'made',
    marks: { ...marksOf(customer), ...marksOf(said), stageId: markOf(after.project.stageId) },
    change: {
      before: deal,
      after,
      effects: {
        ...effects,
        activities: [...(begun?.effects.activities ?? []), ...effects.activities],
        events: begun
          ? [...begun.effects.events, ...effects.events]
          : [
              {
                type: 'lead.updated',
                subjectId: after.lead.id,
                changes: { status: [deal!.lead.status, 'sold'] },
              },
              ...effects.events,
            ],
      },
    },
  }
}

/** The project as it stands there. When it entered its stage and passed those before is not told, so no day is stamped. */
function sell(
  { ctx, directory }: Planning,
  lead: Deal['lead'],
  said: Partial<LegacyProject>,
  met: MetRecord,
  { referenceFree }: Known,
): { after: SoldDeal; effects: Effects } {
  const zone = installerOf(directory).timezone
  const at = (day: string | null | undefined) => (day ? pastDay(zone, day, ctx.now) : null)
  const signedAt = at(said.contractSignedOn)
  const soldAt = at(said.soldOn) ?? signedAt
  const stage = (said.stageId && directory.stages.get(said.stageId)) || firstStage(lead, directory)
  const sale = {
    contractSignedAt: signedAt,
    contractPrice: said.contractPrice ?? null,
    financing: said.financing!,
    system: said.system ?? null,
    products: said.products ?? null,
    siteSurveyorId: said.siteSurveyorId ?? null,
    subcontractorId: said.subcontractorId ?? null,
    reference: referenceFree && isReference(met.legacyId) ? met.legacyId : null,
  }
  const { deal, effects } = startProject(lead, sale, stage, directory, ctx.now)
  const project: Project = {
    ...deal.project,
    soldAt: soldAt ?? deal.project.soldAt,
    milestones: signedAt ? { contractSigned: said.contractSignedOn! } : {},
  }
  // Nobody bought before they were known.
  const createdAt = soldAt && soldAt < lead.createdAt ? soldAt : lead.createdAt
  return { after: { ...deal, lead: { ...deal.lead, createdAt }, project }, effects: quietly(effects) }
}

type ProjectChange = Pick<RecordPlan, 'outcome' | 'change' | 'marks'>

function planChange(
  planning: Planning,
  met: MetRecord,
  known: Known,
  deal: SoldDeal,
  customer: Partial<LegacyCustomer>,
  said: Partial<LegacyProject>,
  problems: RecordPlan['problems'],
): ProjectChange {
  const before = known.taken ? known.record!.marks : null
  const ofLead = known.taken ? mergeCustomer(planning, deal, customer, before) : null
  const merged = mergeProject(planning.directory, deal.project, said, before)
  problems.push(...keptHere([...(ofLead?.kept ?? []), ...merged.kept]))
  const marks: Marks = { ...marksOf(customer), ...ofLead?.marks, ...merged.marks }
  const takesReference =
    !known.taken && known.referenceFree && isReference(met.legacyId) && deal.project.reference === null
  const lead = ofLead?.lead ?? deal.lead
  if (lead === deal.lead && Object.keys(merged.taken).length === 0 && !takesReference)
    return { outcome: 'unchanged', change: null, marks }
  const { project, effects, changes } = changed(planning, deal, merged.taken)
  const after = { ...deal, lead, project: takesReference ? { ...project, reference: met.legacyId } : project }
  const leadEffects = ofLead?.effects ?? { activities: [], events: [] }
  const leadEvents = leadEffects.events.filter(({ type }) => type === 'lead.updated')
  const allChanges = Object.assign({}, ...leadEvents.map((event) => event.changes), changes)
  return {
    outcome: 'updated',
    marks,
    change: {
      before: deal,
      after,
      effects: {
        ...effects,
        activities: [...leadEffects.activities, ...effects.activities],
        events: [
          ...leadEvents,
          ...effects.events,
          { type: 'project.updated', subjectId: project.id, changes: allChanges },
        ],
      },
    },
  }
}

function mergeProject(
  directory: Directory,
  project: Project,
  said: Partial<LegacyProject>,
  before: Marks | null,
): Merged<LegacyProject> {
  const zone = installerOf(directory).timezone
  const dayOf = (at: Date | null) => (at ? dayIn(zone, at) : null)
  const ours = {
    stageId: project.stageId,
    contractPrice: project.contractPrice,
    contractSignedOn: dayOf(project.contractSignedAt),
    soldOn: dayOf(project.soldAt),
    financing: project.financing,
    system: project.system,
    products: project.products,
    siteSurveyorId: project.siteSurveyorId,
    subcontractorId: project.subcontractorId,
  }
  return merge<LegacyProject>(said, ours, before)
}

const words: Record<Exclude<keyof LegacyProject, 'stageId'>, string> = {
  contractPrice: 'contract price',
  contractSignedOn: 'contract date',
  soldOn: 'day of sale',
  financing: 'financing',
  system: 'system',
  products: 'products',
  siteSurveyorId: 'site surveyor',
  subcontractorId: 'subcontractor',
}

interface Changed {
  project: Project
  effects: Effects
  changes: Record<string, [unknown, unknown]>
}

/** The project with what is taken over, and what is to be said of it. Nobody is notified of what happened elsewhere. */
function changed({ ctx, directory }: Planning, deal: SoldDeal, taken: Partial<LegacyProject>): Changed {
  const { stageId, contractSignedOn, soldOn, ...fields } = taken
  const zone = installerOf(directory).timezone
  const before = deal.project
  const changes: Changed['changes'] = {}
  const activities: Effects['activities'] = []
  const project: Project = { ...before, ...(fields as Partial<Project>) }
  for (const name of Object.keys(fields) as (keyof typeof fields)[])
    changes[name] = [before[name] ?? null, fields[name]]
  if (contractSignedOn !== undefined) {
    const { contractSigned: was = null, ...others } = before.milestones
    const at = contractSignedOn === null ? null : pastDay(zone, contractSignedOn, ctx.now)
    project.contractSignedAt = at
    project.milestones = at ? { ...others, contractSigned: contractSignedOn! } : others
    changes['contractSignedOn'] = [was, at && contractSignedOn]
  }
  if (soldOn) {
    project.soldAt = pastDay(zone, soldOn, ctx.now) ?? before.soldAt
    changes['soldOn'] = [before.soldAt && dayIn(zone, before.soldAt), soldOn]
  }
  if (Object.keys(changes).length > 0) {
    const said = Object.keys(changes).map((name) => words[name as keyof typeof words])
    activities.push({ type: 'leadUpdated', body: `Project changed: ${said.join(', ')}`, about: 'sale' })
  }
  const stage = stageId ? directory.stages.get(stageId) : undefined
  if (!stage) return { project, effects: { activities, events: [] }, changes }

  const from = directory.stages.get(before.stageId)?.name ?? null
  const enteredAt = laterThan(before.stageEnteredAt, ctx.now)
  const entered = enterStage({ ...deal, project }, stage, directory, enteredAt)
  const quiet = quietly(entered.effects)
  changes['stage'] = [from, stage.name]
  activities.push({ type: 'stageChanged', body: `Moved from ${from} to ${stage.name}` })
  return {
    project: entered.project,
    changes,
    effects: {
      ...quiet,
      activities: [...activities, ...quiet.activities],
      events: [
        ...quiet.events,
        { type: 'project.stage_changed', subjectId: project.id, changes: { stage: changes['stage'] } },
      ],
    },
  }
}
