import type { CompanyKind } from '../companies/company.ts'
import type { Actor } from '../context.ts'
import type { Role } from '../members/member.ts'
import { type Folder, folders } from './file.ts'

/**
 * What somebody may do in a folder: each right holds those before it. Who may add may also take back what they added
 * themselves; `remove` is taking away what others added.
 */
const levels = ['none', 'read', 'add', 'remove'] as const
type Level = (typeof levels)[number]
export type FolderRight = Exclude<Level, 'none'>

/** Keys and the system itself are not people: they have a row of their own, which is what the interfaces say. */
type Holder = Role | 'key'
type Row = Record<Folder, Level>

const everywhere = (level: Level): Row => Object.fromEntries(folders.map((folder) => [folder, level])) as Row
const nowhere = everywhere('none')

/** Photos and measures of the house are what they bring; the papers are what they need to know where and when. */
const surveyor: Row = {
  ...nowhere,
  siteSurvey: 'add',
  installationPhoto: 'add',
  planset: 'read',
  permit: 'read',
  interconnection: 'read',
  material: 'read',
}

/** Who builds it also brings delivery notes and the permit card that the inspector signed. */
const subcontractor: Row = {
  ...nowhere,
  siteSurvey: 'add',
  installationPhoto: 'add',
  material: 'add',
  permit: 'add',
  planset: 'read',
  interconnection: 'read',
}

/** A dealer's people add and take back their own; what the installer keeps to itself is not there for them. */
const dealer = (row: Row): Row => ({ ...row, internal: 'none' })

/** Who may do what with the files of a project that they see, by role and folder: this table decides everywhere. */
const rights: Record<CompanyKind, Record<Holder, Row>> = {
  installer: {
    key: everywhere('remove'),
    owner: everywhere('remove'),
    admin: everywhere('remove'),
    manager: everywhere('remove'),
    rep: everywhere('add'),
    setter: everywhere('add'),
    surveyor,
    subcontractor,
  },
  dealer: {
    key: dealer(everywhere('read')),
    owner: dealer(everywhere('add')),
    admin: dealer(everywhere('add')),
    manager: dealer(everywhere('add')),
    rep: dealer(everywhere('add')),
    setter: dealer(everywhere('add')),
    surveyor,
    subcontractor,
  },
}

type Holds = Pick<Actor, 'companyKind' | 'role'>

export function mayInFolder({ companyKind, role }: Holds, right: FolderRight, folder: Folder): boolean {
  return levels.indexOf(rights[companyKind][role ?? 'key'][folder]) >= levels.indexOf(right)
}

export function foldersWith(actor: Holds, right: FolderRight): Folder[] {
  return folders.filter((folder) => mayInFolder(actor, right, folder))
}

/** Whether the actor may take a file away: what others added takes more than what they added themselves. */
export function removesFile(actor: Actor, file: { folder: Folder; addedBy: string | null }): boolean {
  const own = actor.kind === 'member' && actor.id !== null && file.addedBy === actor.id
  return mayInFolder(actor, own ? 'add' : 'remove', file.folder)
}
