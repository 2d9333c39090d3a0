import type { Actor } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { emailKey } from '../../kernel/email.ts'
import { type Directory, memberByEmail } from '../../kernel/tenant/directory.ts'
import type { Lead } from '../leads/lead.ts'
import type { Project } from '../projects/project.ts'

/** Somebody as a caller names them who knows no ids, or does. */
export type NamedPerson = { id: string } | { email: string }

/** Who is put where; null takes them off, absent ones stay. */
type Named<Slot extends string> = { [S in Slot]?: NamedPerson | null | undefined }

export type NamedLeadPeople = Named<'salesRep' | 'setter'>
export type NamedProjectPeople = Named<'projectManager' | 'siteSurveyor' | 'subcontractor'>

/** Companies whose people may be put on a lead: its own, and the installer's where the installer does it. */
export function companiesOnLead(actor: Actor, lead: Lead): string[] {
  return actor.companyKind === 'installer' ? [lead.companyId, actor.companyId] : [lead.companyId]
}

/** The people of a lead by their ids. */
export function leadPeople(
  actor: Actor,
  directory: Directory,
  lead: Lead,
  named: NamedLeadPeople,
): Partial<Pick<Lead, 'salesRepId' | 'setterId'>> {
  const companies = companiesOnLead(actor, lead)
  const find = finder(directory, companies, "the lead's company")
  return {
    ...given('salesRepId', find(named.salesRep, lead.salesRepId, 'salesRep')),
    ...given('setterId', find(named.setter, lead.setterId, 'setter')),
  }
}

/** The people of a project by their ids: they are the installer's. */
export function projectPeople(
  directory: Directory,
  project: Project,
  named: NamedProjectPeople,
): Partial<Pick<Project, 'projectManagerId' | 'siteSurveyorId' | 'subcontractorId'>> {
  const find = finder(directory, [directory.installerId], 'the installer')
  const { projectManagerId, siteSurveyorId, subcontractorId } = project
  return {
    ...given('projectManagerId', find(named.projectManager, projectManagerId, 'projectManager')),
    ...given('siteSurveyorId', find(named.siteSurveyor, siteSurveyorId, 'siteSurveyor')),
    ...given('subcontractorId', find(named.subcontractor, subcontractorId, 'subcontractor')),
  }
}

type Found = string | null | undefined

function given<Field extends string>(field: Field, id: Found): { [F in Field]?: Exclude<Found, undefined> } {
  return (id === undefined ? {} : { [field]: id }) as { [F in Field]?: string | null }
}

function finder(directory: Directory, companies: readonly string[], whose: string) {
  return (named: NamedPerson | null | undefined, currentId: string | null, field: string): Found => {
    if (named === undefined || named === null) return named
    // Who is there stays, though they may have left since: what a read answers is taken back as it is.
    const current = currentId === null ? undefined : directory.members.get(currentId)
    if (current && isNamed(current, named)) return current.id
    const member =
      'id' in named
        ? directory.members.get(named.id)
        : companies.map((id) => memberByEmail(directory, id, named.email)).find((one) => one !== null)
    if (member?.active && companies.includes(member.companyId)) return member.id
    throw new DomainError(
      'invalid',
      `${field}: no active member of ${whose} has this ${'id' in named ? 'id' : 'email'}.`,
    )
  }
}

function isNamed(member: { id: string; email: string }, named: NamedPerson): boolean {
  return 'id' in named ? member.id === named.id : member.email === emailKey(named.email)
}
