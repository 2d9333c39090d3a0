import { type Folder, folders } from './folder.ts'
import { type Asking, type Holder, holderOf } from './policy.ts'
import type { CompanyKind } from './tenant/company.ts'

/**
 * What somebody may do in a folder: each right holds those before it. Who may add may also take back what they added
 * themselves; `remove` is taking away what others added.
 */
const levels = ['none', 'read', 'add', 'remove'] as const
type Level = (typeof levels)[number]
export type FolderRight = Exclude<Level, 'none'>

type Row = Record<Folder, Level>

const everywhere = (level: Level): Row => Object.fromEntries(folders.map((folder) => [folder, level])) as Row
const nowhere = everywhere('none')

/** Photos and measures of the house are what they bring; the documents are what they need to know where and when. */
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
const dealers = (row: Row): Row => ({ ...row, internal: 'none' })

/** Who may do what with the files of a project that they see, by folder. */
const folderLevels: Record<CompanyKind, Record<Holder, Row>> = {
  installer: {
    owner: everywhere('remove'),
    admin: everywhere('remove'),
    manager: everywhere('remove'),
    rep: everywhere('add'),
    setter: everywhere('add'),
    surveyor,
    subcontractor,
    key: everywhere('remove'),
    job: everywhere('remove'),
  },
  dealer: {
    owner: dealers(everywhere('add')),
    admin: dealers(everywhere('add')),
    manager: dealers(everywhere('add')),
    rep: dealers(everywhere('add')),
    setter: dealers(everywhere('add')),
    surveyor,
    subcontractor,
    key: dealers(everywhere('read')),
    job: dealers(everywhere('read')),
  },
}

export function folderLevel(companyKind: CompanyKind, holder: Holder, folder: Folder): Level {
  return folderLevels[companyKind][holder][folder]
}

export function mayInFolder(actor: Asking, right: FolderRight, folder: Folder): boolean {
  const level = folderLevel(actor.companyKind, holderOf(actor), folder)
  return levels.indexOf(level) >= levels.indexOf(right)
}

export function foldersWith(actor: Asking, right: FolderRight): Folder[] {
  return folders.filter((folder) => mayInFolder(actor, right, folder))
}

/** Whether the actor may take a file away: what others added takes more than what they added themselves. */
export function removesFile(
  actor: Asking & { id: string | null },
  file: { folder: Folder; addedBy: string | null },
): boolean {
  const own = actor.kind === 'member' && actor.id !== null && file.addedBy === actor.id
  return mayInFolder(actor, own ? 'add' : 'remove', file.folder)
}
