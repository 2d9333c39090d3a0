import type { Db, Statement } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import type { Folder } from '../../kernel/folder.ts'
import type { SharedKind, SharedLink } from './link.ts'

export interface NewLink {
  installerId: string
  id: string
  projectId: string
  kind: SharedKind
  folder: Folder | null
  fileId: string | null
  tokenHash: Buffer
  createdBy: string
  createdAt: Date
  expiresAt: Date
}

const insertStatement: Statement = {
  name: 'insert-shared-link',
  text: `insert into shared_links (installer_id, id, project_id, kind, folder, file_id, token_hash, created_by, created_at, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
}

export async function insertLink(tx: Db, link: NewLink): Promise<void> {
  await tx.query(insertStatement, [
    link.installerId,
    link.id,
    link.projectId,
    link.kind,
    link.folder,
    link.fileId,
    link.tokenHash,
    link.createdBy,
    link.createdAt.toISOString(),
    link.expiresAt.toISOString(),
  ])
}

const columns = `l.id, l.project_id as "projectId", l.kind, l.folder, l.file_id as "fileId", f.name as "fileName",
  l.created_by as "createdBy", l.created_at as "createdAt", l.expires_at as "expiresAt", l.ended_at as "endedAt",
  l.ended_by as "endedBy", l.opened, l.last_opened_at as "lastOpenedAt"`
const source = `shared_links l left join files f
  on f.installer_id = l.installer_id and f.id = l.file_id and f.revoked_at is null`

const listStatement: Statement = {
  name: 'list-shared-links',
  text: `select ${columns} from ${source}
    where l.installer_id = $1 and l.project_id = $2 and l.id < $3
      and ($4::text is null or l.created_by in (select m.id from members m where m.installer_id = $1 and m.company_id = $4))
      and ($5::text is null or l.created_by = $5)
    order by l.id desc limit $6`,
}

/** Whose links somebody sees: null stands for everybody's. */
export interface MadeBy {
  companyId: string | null
  memberId: string | null
}

/** The links of a project, the newest first, from those before `beforeId` on. */
export function listLinks(
  db: Db,
  installerId: string,
  projectId: string,
  { companyId, memberId }: MadeBy,
  beforeId: string | null,
  limit: number,
): Promise<SharedLink[]> {
  // Later than any id.
  const before = beforeId ?? 'link_~'
  return db.query<SharedLink>(listStatement, [installerId, projectId, before, companyId, memberId, limit])
}

const findStatement: Statement = {
  name: 'find-shared-link',
  text: `select ${columns} from ${source}
    where l.installer_id = $1 and l.id = $2 and l.project_id = $3
      and ($4::text is null or l.created_by in (select m.id from members m where m.installer_id = $1 and m.company_id = $4))
      and ($5::text is null or l.created_by = $5)`,
}

export async function findLink(
  db: Db,
  installerId: string,
  projectId: string,
  { companyId, memberId }: MadeBy,
  id: string,
): Promise<SharedLink | null> {
  if (!isId(id, 'link')) return null
  const [row] = await db.query<SharedLink>(findStatement, [installerId, id, projectId, companyId, memberId])
  return row ?? null
}

const countStatement: Statement = {
  name: 'count-shared-links',
  text: `select count(*)::int as count from shared_links
    where installer_id = $1 and project_id = $2 and ended_at is null and expires_at > $3`,
}

export async function countWorkingLinks(
  db: Db,
  installerId: string,
  projectId: string,
  now: Date,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(countStatement, [installerId, projectId, now.toISOString()])
  return row!.count
}

const endStatement: Statement = {
  name: 'end-shared-link',
  text: `update shared_links set ended_at = $3, ended_by = $4
    where installer_id = $1 and id = $2 and ended_at is null returning id`,
}

/** Whether it had not ended before. */
export async function endLinkRow(
  tx: Db,
  installerId: string,
  id: string,
  now: Date,
  by: string | null,
): Promise<boolean> {
  return (await tx.query(endStatement, [installerId, id, now.toISOString(), by])).length > 0
}

const endOfMakerStatement: Statement = {
  name: 'end-shared-links-of-maker',
  text: 'update shared_links set ended_at = $3 where installer_id = $1 and created_by = $2 and ended_at is null',
}

/** Ends what a member shared, as their access ends. */
export async function endLinksOf(tx: Db, installerId: string, memberId: string, now: Date): Promise<void> {
  await tx.query(endOfMakerStatement, [installerId, memberId, now.toISOString()])
}

export interface OpenedLink {
  installerId: string
  id: string
  projectId: string
  kind: SharedKind
  folder: Folder | null
  fileId: string | null
  /** The installer's: the days that a page shows are days there. */
  timezone: string
}

const openStatement: Statement = {
  name: 'open-shared-link',
  text: `select l.installer_id as "installerId", l.id, l.project_id as "projectId", l.kind, l.folder, l.file_id as "fileId", c.timezone
    from companies c join shared_links l on l.installer_id = c.id
      join members m on m.installer_id = c.id and m.id = l.created_by join companies of on of.id = m.company_id
    where c.number = $1 and c.kind = 'installer' and l.token_hash = $2 and l.ended_at is null and l.expires_at > $3
      and m.deactivated_at is null and c.status = 'active' and of.status = 'active'`,
}

/** The link that an address names, while it works: not while who made it, or their company, is let in nowhere. */
export async function findOpenLink(
  db: Db,
  installerNumber: number,
  tokenHash: Buffer,
  now: Date,
): Promise<OpenedLink | null> {
  const [row] = await db.query<OpenedLink>(openStatement, [installerNumber, tokenHash, now.toISOString()])
  return row ?? null
}

const openedStatement: Statement = {
  name: 'note-shared-link-opened',
  text: `update shared_links l set opened = opened + 1, last_opened_at = $3
    where l.installer_id = $1 and l.id in (
      select o.id from shared_links o where o.installer_id = $1 and o.id = $2 for update skip locked)`,
}

/** Counts an opening; of many at the same instant one is enough, so that none waits for another. */
export async function noteOpened(db: Db, installerId: string, id: string, now: Date): Promise<void> {
  await db.query(openedStatement, [installerId, id, now.toISOString()])
}

const toRenewStatement: Statement = {
  name: 'projects-to-renew-links',
  text: `select id from projects where installer_id = $1 and ($2::text is null or company_id = $2)
      and (links_renewed_at is null or links_renewed_at < $3) and id > $4
    order by id limit $5`,
}

/** Projects whose addresses were not made anew since a time, from those after `afterId` on. */
export async function listProjectsToRenew(
  db: Db,
  installerId: string,
  companyId: string | null,
  since: Date,
  afterId: string,
  limit: number,
): Promise<string[]> {
  const values = [installerId, companyId, since.toISOString(), afterId, limit]
  const rows = await db.query<{ id: string }>(toRenewStatement, values)
  return rows.map(({ id }) => id)
}
