import { newReference } from '../../../platform/ids.ts'
import type { CopiedFile } from '../../../platform/outbound/copy-from-address.ts'
import { type KeptBy, requireFirst } from '../../journal/idempotency/call.ts'
import type { Context } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import { requireStillGood } from '../../kernel/require-still-good.ts'
import { memberNamed } from '../../kernel/tenant/directory.ts'
import { requireCompanyNumbered } from '../../kernel/tenant/require-company.ts'
import type { NewActivity } from '../activities/activity.ts'
import type { NewFile } from '../changes/change.ts'
import { type Attempt, commitChange, runChange } from '../changes/commit-change.ts'
import {
  checkAddresses,
  copyAll,
  type FileCopying,
  type FileRequest,
  fileRecord,
  filesAdded,
  keepCopies,
  type Wanted,
} from '../files/copy-files.ts'
import { type LeadDetails, leadRecord } from '../leads/lead-record.ts'
import type { Project } from '../projects/project.ts'
import { type DescribedSystem, describeSystem } from './describe-system.ts'
import { startProject } from './sell-lead.ts'

export interface NewProject {
  /** The number of the company that sold it. */
  orgId: string
  customer: LeadDetails
  /** Emails, names or member ids. */
  salesRep: string
  setter: string
  contractPrice: Project['contractPrice']
  financing: Project['financing']
  system: DescribedSystem
  surveyPhotos: FileRequest[]
  /** How the caller names its list of photos. */
  photosField: string
}

export interface ProjectCreated {
  /** The references of both. */
  projectId: string
  leadId: string
  /** Who was named and is no active member of the company. */
  unmatched: string[]
}

/** Makes a sold solar lead and its project, with its photos, in one transaction: all of it or nothing. */
export async function createProject(
  ctx: Context,
  copying: FileCopying,
  input: NewProject,
  kept: KeptBy<ProjectCreated> | null,
  givenUp: AbortSignal = new AbortController().signal,
): Promise<ProjectCreated> {
  const { photosField } = input
  const wanted = checkAddresses(copying, input.surveyPhotos, (i) => `${photosField}[${i}]`)
  const companyId = await requireCompanyNumbered(ctx, input.orgId)
  authorize(ctx.actor, 'projects.create')
  // What the catalogue does not have is found before anything is copied.
  const directory = await ctx.directories.current(ctx.db, ctx.actor.installerId)
  await describeSystem(ctx.db, directory, input.system)

  const photos = [...new Map(wanted.map((photo) => [photo.hash, photo])).values()]
  const copies = await copyAll(copying, ctx.actor, photos, givenUp)
  const copied = { photos, copies }
  return keepCopies(copying, copies, (keep) =>
    runChange(ctx, async (attempt) => {
      if (kept && attempt.db !== ctx.db) await requireFirst(attempt.db, kept.call, ctx.now)
      return record(ctx, attempt, companyId, input, kept, copied, keep)
    }),
  )
}

async function record(
  ctx: Context,
  attempt: Attempt,
  companyId: string,
  input: NewProject,
  kept: KeptBy<ProjectCreated> | null,
  { photos, copies }: { photos: Wanted[]; copies: Map<string, CopiedFile> },
  keep: (file: NewFile) => void,
): Promise<ProjectCreated> {
  const { db, directory } = attempt
  if (copies.size > 0) await requireStillGood(db, ctx.actor)
  const salesRep = memberNamed(directory, companyId, input.salesRep)
  const setter = memberNamed(directory, companyId, input.setter)
  const unmatched = [salesRep ? [] : input.salesRep, setter ? [] : input.setter].flat()
  const { system, stage } = await describeSystem(db, directory, input.system)
  const lead = leadRecord(ctx, companyId, {
    ...input.customer,
    reference: newReference(),
    salesRepId: salesRep?.id ?? null,
    setterId: setter?.id ?? null,
  })
  const sale = {
    reference: newReference(),
    contractSignedAt: null,
    contractPrice: input.contractPrice,
    financing: input.financing,
    system,
    products: null,
  }
  const { deal, effects } = startProject(lead, sale, stage, directory, ctx.now)
  const files = photos.map((photo) => fileRecord(photo, 'siteSurvey', copies.get(photo.hash)!))
  const answer: ProjectCreated = {
    projectId: sale.reference,
    leadId: lead.reference!,
    unmatched: [...new Set(unmatched)],
  }

  const added = filesAdded(files)
  const people = [salesRep && `${salesRep.name} (sales rep)`, setter && `${setter.name} (setter)`]
  const assigned = people.filter(Boolean).join(' and ')
  const activities: NewActivity[] = [{ type: 'leadCreated', body: 'Lead created' }]
  if (assigned) activities.push({ type: 'assigned', body: `Assigned to ${assigned}` })
  await commitChange(
    ctx,
    attempt,
    null,
    { ...deal, files },
    {
      ...effects,
      files,
      activities: [...activities, ...effects.activities, ...added.activities],
      events: [{ type: 'lead.created', subjectId: lead.id }, ...effects.events, ...added.events],
      ...(kept ? { idempotency: { call: kept.call, answer: kept.answerOf(answer) } } : {}),
    },
  )
  for (const file of files) keep(file)
  return answer
}
