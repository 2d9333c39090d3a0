import { newReference } from '../../platform/ids.ts'
import type { CopiedFile } from '../../platform/outbound/copy-from-address.ts'
import type { Effects, NewFile } from '../changes/change.ts'
import { type Attempt, change, commitChange } from '../changes/commit-change.ts'
import { findAnswer, type Once } from '../changes/once.ts'
import { memberNamed } from '../companies/directory.ts'
import { requireCompanyNumbered } from '../companies/require-company.ts'
import { type Context, requireWriter } from '../context.ts'
import {
  checkAddresses,
  copyAll,
  type FileCopying,
  type FileRequest,
  filesAdded,
  keepCopies,
  newFile,
  type Wanted,
} from '../files/copy-files.ts'
import { type LeadDetails, newLead } from '../leads/new-lead.ts'
import { beginProject } from './begin-project.ts'
import { type DescribedSystem, describeSystem } from './describe-system.ts'
import type { Project } from './project.ts'

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
  once: Once | null,
  givenUp: AbortSignal = new AbortController().signal,
): Promise<ProjectCreated> {
  const { photosField } = input
  const wanted = checkAddresses(copying, input.surveyPhotos, (i) => `${photosField}[${i}]`)
  const companyId = await requireCompanyNumbered(ctx, input.orgId)
  requireWriter(ctx.actor)
  const answered = once && (await findAnswer<ProjectCreated>(ctx.db, ctx.actor, once))
  if (answered) return answered
  // What the catalogue does not have is found before anything is copied.
  const directory = await ctx.directories.current(ctx.db, ctx.actor.installerId)
  await describeSystem(ctx.db, directory, input.system)

  const photos = [...new Map(wanted.map((photo) => [photo.hash, photo])).values()]
  const copies = await copyAll(copying, photos, photosField, givenUp)
  return keepCopies(copying, copies, (keep) =>
    change(ctx, (attempt) => record(ctx, attempt, companyId, input, once, photos, copies, keep)),
  )
}

async function record(
  ctx: Context,
  attempt: Attempt,
  companyId: string,
  input: NewProject,
  once: Once | null,
  photos: Wanted[],
  copies: Map<string, CopiedFile>,
  keep: (file: NewFile) => void,
): Promise<ProjectCreated> {
  const { db, directory } = attempt
  const answered = once && (await findAnswer<ProjectCreated>(db, ctx.actor, once))
  if (answered) return answered
  const people = [input.salesRep, input.setter].map((name) => ({
    name,
    member: memberNamed(directory, companyId, name),
  }))
  const [salesRep, setter] = people.map(({ member }) => member)
  const { system, stage } = await describeSystem(db, directory, input.system)
  const lead = newLead(ctx, companyId, {
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
  const { deal, effects } = beginProject(lead, sale, stage, directory, ctx.now)
  const files = photos.map((photo) => newFile(photo, 'siteSurvey', copies.get(photo.hash)!))
  const answer: ProjectCreated = {
    projectId: sale.reference,
    leadId: lead.reference!,
    unmatched: [...new Set(people.filter(({ member }) => !member).map(({ name }) => name))],
  }
  const assigned = [salesRep && `${salesRep.name} (sales rep)`, setter && `${setter.name} (setter)`]
  await commitChange(
    ctx,
    attempt,
    null,
    { ...deal, files },
    withLead(effects, lead.id, assigned, files, once, answer),
  )
  for (const file of files) keep(file)
  return answer
}

/** What goes with the project, and what goes with its lead and its photos. */
function withLead(
  effects: Effects,
  leadId: string,
  assigned: (string | null | undefined)[],
  files: NewFile[],
  once: Once | null,
  answer: ProjectCreated,
): Effects {
  const people = assigned.filter(Boolean).join(' and ')
  const added = filesAdded(files)
  return {
    ...effects,
    files,
    activities: [
      { type: 'leadCreated', body: 'Lead created' },
      ...(people ? [{ type: 'assigned' as const, body: `Assigned to ${people}` }] : []),
      ...effects.activities,
      ...added.activities,
    ],
    events: [{ type: 'lead.created', subjectId: leadId }, ...effects.events, ...added.events],
    ...(once ? { once: { ...once, answer } } : {}),
  }
}
