import type { Db } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import { boolean, instant, integer, type Row, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql, when } from '../../../platform/sql/sql.ts'
import { many, maybeOne, maybeScalar, one, scalars } from '../../../platform/sql/statements.ts'
import type { Folder } from '../../kernel/folder.ts'

interface OfProject {
  installerId: string
  projectId: string
}

type OfFolder = OfProject & { folder: string }

const inFolder = ($: Params<OfFolder>) =>
  sql`installer_id = ${$.installerId} and project_id = ${$.projectId} and folder = ${$.folder} and revoked_at is null`

export interface HeldFile {
  id: string
  name: string
  /** SHA-256 of the address it was copied from, in hex. */
  sourceHash: string
}

/** The files of a folder that were copied from one of these addresses. */
export const findHeldFiles = many(
  row<HeldFile>({ id: text, name: text, sourceHash: text }),
  ($: Params<OfFolder & { sourceHashes: readonly string[] }>) => sql`
    select id, name, encode(source_hash, 'hex') as "sourceHash" from files
    where ${inFolder($)} and source_hash in (select decode(h, 'hex') from unnest(${$.sourceHashes}::text[]) h)`,
)

/** The file of a folder that has these contents, wherever they came from. */
export const findSameContents = maybeOne(
  row<{ id: string; name: string }>({ id: text, name: text }),
  ($: Params<OfFolder & { sha256: string }>) => sql`
    select id, name from files where ${inFolder($)} and sha256 = decode(${$.sha256}, 'hex') order by id limit 1`,
)

export interface ServedFile {
  installerId: string
  projectId: string
  id: string
  folder: Folder
  name: string
  type: string
  extension: string
  inline: boolean
  storeKey: string
  sha256: string
}

const servedFile = row<ServedFile>({
  installerId: text,
  projectId: text,
  id: text,
  folder: text,
  name: text,
  type: text,
  extension: text,
  inline: boolean,
  storeKey: text,
  sha256: text,
})
const servedSelection = select(servedFile, 'f', { sha256: sql`encode(f.sha256, 'hex')` })

export const findFileByToken = maybeOne(
  servedFile,
  ($: Params<{ installerId: string; token: string }>) => sql`
    select ${servedSelection} from files f
    where f.installer_id = ${$.installerId} and f.token = ${$.token} and f.revoked_at is null`,
  { shared: 'read' },
)

export interface FileWithAuthor extends ServedFile {
  addedBy: string | null
}

const fileWithAuthor: Row<FileWithAuthor> = { columns: { ...servedFile.columns, addedBy: text } }

const fileOfProject = maybeOne(
  fileWithAuthor,
  ($: Params<OfProject & { id: string }>) => sql`
    select ${servedSelection}, f.added_by as "addedBy" from files f
    where f.installer_id = ${$.installerId} and f.id = ${$.id} and f.project_id = ${$.projectId}
      and f.revoked_at is null`,
)

/** A file of a project by its id. */
export async function findProjectFile(
  db: Db,
  installerId: string,
  projectId: string,
  id: string,
): Promise<FileWithAuthor | null> {
  return isId(id, 'file') ? fileOfProject(db, { installerId, projectId, id }) : null
}

/** Which of these keys of the store belong to a file that the tenant has, or is about to import. */
export const findKnownStoreKeys = scalars(
  { storeKey: text },
  ($: Params<{ installerId: string; keys: readonly string[] }>) => sql`
    select store_key as "storeKey" from files
    where installer_id = ${$.installerId} and store_key = any(${$.keys}::text[]) and revoked_at is null
    union all select store_key from imports
    where installer_id = ${$.installerId} and store_key = any(${$.keys}::text[])`,
)

export const findAnyStoreKey = scalars(
  { storeKey: text },
  ($: Params<{ installerId: string }>) => sql`
    select store_key as "storeKey" from files where installer_id = ${$.installerId} and revoked_at is null limit 1`,
)

export const findFolderSecret = maybeScalar(
  { folderSecret: text },
  ($: Params<{ installerId: string; projectId: string }>) => sql`
    select folder_secret as "folderSecret" from projects
    where installer_id = ${$.installerId} and id = ${$.projectId}`,
)

export interface ListedFile {
  id: string
  name: string
  token: string
  type: string
  extension: string
  inline: boolean
  size: number
  addedAt: Date
}

const listedFile = row<ListedFile>({
  id: text,
  name: text,
  token: text,
  type: text,
  extension: text,
  inline: boolean,
  size: integer,
  addedAt: instant,
})

/** The files of a folder from the oldest, those after `afterId` ('' for the beginning). */
export const listFolderFiles = many(
  listedFile,
  ($: Params<OfFolder & { afterId: string; limit: number }>) => sql`
    select ${select(listedFile)} from files where ${inFolder($)} and id > ${$.afterId} order by id limit ${$.limit}`,
)

export interface ProjectFileRow extends Omit<ListedFile, 'token'> {
  folder: Folder
  /** Null where no person did. */
  addedBy: string | null
}

const projectFile = row<ProjectFileRow>({
  id: text,
  folder: text,
  name: text,
  type: text,
  extension: text,
  inline: boolean,
  size: integer,
  addedAt: instant,
  addedBy: text,
})

/** The files of these folders, the newest first. */
export const listProjectFiles = many(
  projectFile,
  ($: Params<OfProject & { folders: readonly Folder[]; limit: number }>) => sql`
    select ${select(projectFile)} from files
    where installer_id = ${$.installerId} and project_id = ${$.projectId} and folder = any(${$.folders}::text[])
      and revoked_at is null
    order by added_at desc, ordinal desc limit ${$.limit}`,
)

/** Where a page of a project's files ended. */
export interface FilePosition {
  at: Date
  ordinal: number
}

export interface FileRow {
  id: string
  name: string
  folder: Folder
  size: number
  type: string
  sha256: string
  addedAt: Date
  /** The member, or the key or job of the event that told of it. */
  addedBy: string | null
  token: string
  ordinal: number
}

const fileRow = row<FileRow>({
  id: text,
  name: text,
  folder: text,
  size: integer,
  type: text,
  sha256: text,
  addedAt: instant,
  addedBy: text,
  token: text,
  ordinal: integer,
})

interface FilePageAsked {
  folders: readonly Folder[]
  beforeAt: Date | undefined
  beforeOrdinal: number | undefined
  limit: number
}

/** A page of the files of these folders, the newest first. What a project has is found together: it is little. */
export const listFileRows = many(
  fileRow,
  ($: Params<OfProject & FilePageAsked>) => sql`
    select ${select(fileRow, 'f', {
      sha256: sql`encode(f.sha256, 'hex')`,
      addedBy: sql`coalesce(m.name, e.actor_name)`,
    })}
    from files f
      left join members m on m.installer_id = f.installer_id and m.id = f.added_by
      left join events e on e.installer_id = f.installer_id and e.at = f.added_at and e.subject_id = f.id
        and e.type = 'file.added'
    where f.installer_id = ${$.installerId} and f.project_id = ${$.projectId} and f.folder = any(${$.folders}::text[])
      and f.revoked_at is null
      ${when($.beforeAt, sql`and (f.added_at, f.ordinal) < (${$.beforeAt}::timestamptz, ${$.beforeOrdinal}::smallint)`)}
    order by f.added_at desc, f.ordinal desc limit ${$.limit}`,
)

/** How many files a folder has, and how many of them are not after `afterId`. */
export const countFolderFiles = one(
  row<{ total: number; before: number }>({ total: integer, before: integer }),
  ($: Params<OfFolder & { afterId: string }>) => sql`
    select count(*) as total, count(*) filter (where id <= ${$.afterId}) as before from files where ${inFolder($)}`,
)
