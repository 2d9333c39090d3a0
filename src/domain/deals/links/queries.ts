import type { Db } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import { instant, integer, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql, when } from '../../../platform/sql/sql.ts'
import { exists, many, maybeOne, run, scalar, scalars } from '../../../platform/sql/statements.ts'
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

export const insertLink = run(
  ($: Params<NewLink>) => sql`
    insert into shared_links
      (installer_id, id, project_id, kind, folder, file_id, token_hash, created_by, created_at, expires_at)
    values (${$.installerId}, ${$.id}, ${$.projectId}, ${$.kind}, ${$.folder}, ${$.fileId}, ${$.tokenHash},
      ${$.createdBy}, ${$.createdAt}, ${$.expiresAt})`,
)

const link = row<SharedLink>({
  id: text,
  projectId: text,
  kind: text,
  folder: text,
  fileId: text,
  fileName: text,
  createdBy: text,
  createdAt: instant,
  expiresAt: instant,
  endedAt: instant,
  endedBy: text,
  opened: integer,
  lastOpenedAt: instant,
})

/** Whose links somebody sees: null stands for everybody's. */
export interface MadeBy {
  companyId: string | null
  memberId: string | null
}

interface OfProject {
  installerId: string
  projectId: string
}

const linksMade = ($: Params<OfProject & MadeBy>) => sql`
  select ${select(link, 'l', { fileName: sql`f.name` })}
  from shared_links l left join files f
    on f.installer_id = l.installer_id and f.id = l.file_id and f.revoked_at is null
  where l.installer_id = ${$.installerId} and l.project_id = ${$.projectId}
    ${when(
      $.companyId,
      sql`and l.created_by in (
        select m.id from members m where m.installer_id = ${$.installerId} and m.company_id = ${$.companyId})`,
    )}
    ${when($.memberId, sql`and l.created_by = ${$.memberId}`)}`

/** The links of a project, the newest first, from those before `beforeId` on. */
export const listLinks = many(
  link,
  ($: Params<OfProject & MadeBy & { beforeId: string | null; limit: number }>) => sql`
    ${linksMade($)} ${when($.beforeId, sql`and l.id < ${$.beforeId}`)} order by l.id desc limit ${$.limit}`,
)

const linkById = maybeOne(
  link,
  ($: Params<OfProject & MadeBy & { id: string }>) => sql`${linksMade($)} and l.id = ${$.id}`,
)

export async function findLink(
  db: Db,
  named: OfProject & MadeBy & { id: string },
): Promise<SharedLink | null> {
  return isId(named.id, 'link') ? linkById(db, named) : null
}

export const countWorkingLinks = scalar(
  { count: integer },
  ($: Params<OfProject & { now: Date }>) => sql`
    select count(*)::int as count from shared_links
    where installer_id = ${$.installerId} and project_id = ${$.projectId} and ended_at is null
      and expires_at > ${$.now}`,
)

/** Whether it had not ended before. */
export const endLinkRow = exists(
  ($: Params<{ installerId: string; id: string; now: Date; by: string | null }>) => sql`
    update shared_links set ended_at = ${$.now}, ended_by = ${$.by}
    where installer_id = ${$.installerId} and id = ${$.id} and ended_at is null returning id`,
)

/** Ends what a member shared, as their access ends. */
export const endLinksOf = run(
  ($: Params<{ installerId: string; memberId: string; now: Date }>) => sql`
    update shared_links set ended_at = ${$.now}
    where installer_id = ${$.installerId} and created_by = ${$.memberId} and ended_at is null`,
)

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

const openedLink = row<OpenedLink>({
  installerId: text,
  id: text,
  projectId: text,
  kind: text,
  folder: text,
  fileId: text,
  timezone: text,
})

/** The link that an address names, while it works: not while who made it, or their company, is let in nowhere. */
export const findOpenLink = maybeOne(
  openedLink,
  ($: Params<{ installerId: string; tokenHash: Buffer; now: Date }>) => sql`
    select ${select(openedLink, 'l', { timezone: sql`c.timezone` })}
    from shared_links l join companies c on c.installer_id = l.installer_id and c.id = l.installer_id
      join members m on m.installer_id = l.installer_id and m.id = l.created_by
      join companies of on of.installer_id = m.installer_id and of.id = m.company_id
    where l.installer_id = ${$.installerId} and l.token_hash = ${$.tokenHash}
      and l.ended_at is null and l.expires_at > ${$.now}
      and m.deactivated_at is null and c.status = 'active' and of.status = 'active'`,
)

/** Counts an opening; of many at the same instant one is enough, so that none waits for another. */
export const noteOpened = run(
  ($: Params<{ installerId: string; id: string; now: Date }>) => sql`
    update shared_links l set opened = opened + 1, last_opened_at = ${$.now}
    where l.installer_id = ${$.installerId} and l.id in (
      select o.id from shared_links o
      where o.installer_id = ${$.installerId} and o.id = ${$.id} for update skip locked)`,
)

interface ToRenew {
  installerId: string
  companyId: string | null
  since: Date
  afterId: string
  limit: number
}

/** Projects whose addresses were not renewed since a time, from those after `afterId` on. */
export const listProjectsToRenew = scalars(
  { id: text },
  ($: Params<ToRenew>) => sql`
    select id from projects
    where installer_id = ${$.installerId} ${when($.companyId, sql`and company_id = ${$.companyId}`)}
      and (links_renewed_at is null or links_renewed_at < ${$.since}) and id > ${$.afterId}
    order by id limit ${$.limit}`,
)
