import type { Db, Statement } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import type { Folder } from '../../kernel/folder.ts'

export interface HeldFile {
  id: string
  name: string
  /** SHA-256 of the address it was copied from, in hex. */
  sourceHash: string
}

const heldStatement: Statement = {
  name: 'files-held',
  text: `select id, name, encode(source_hash, 'hex') as "sourceHash" from files
    where installer_id = $1 and project_id = $2 and folder = $3 and revoked_at is null
      and source_hash in (select decode(h, 'hex') from unnest($4::text[]) h)`,
}

/** The files of a folder that were copied from one of these addresses. */
export function findHeldFiles(
  db: Db,
  installerId: string,
  projectId: string,
  folder: string,
  sourceHashes: string[],
): Promise<HeldFile[]> {
  return db.query<HeldFile>(heldStatement, [installerId, projectId, folder, sourceHashes])
}

const sameContentsStatement: Statement = {
  name: 'file-of-contents',
  text: `select id, name from files
    where installer_id = $1 and project_id = $2 and folder = $3 and revoked_at is null and sha256 = decode($4, 'hex')
    order by id limit 1`,
}

/** The file of a folder that has these contents, wherever they came from. */
export async function findSameContents(
  db: Db,
  installerId: string,
  projectId: string,
  folder: Folder,
  sha256: string,
): Promise<{ id: string; name: string } | null> {
  const [row] = await db.query<{ id: string; name: string }>(sameContentsStatement, [
    installerId,
    projectId,
    folder,
    sha256,
  ])
  return row ?? null
}

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

const byTokenStatement: Statement = {
  name: 'file-by-token',
  text: `select f.installer_id as "installerId", f.project_id as "projectId", f.id, f.folder, f.name, f.type, f.extension,
      f.inline, f.store_key as "storeKey", encode(f.sha256, 'hex') as sha256
    from companies c join files f on f.installer_id = c.id
    where c.number = $1 and c.kind = 'installer' and f.token = $2 and f.revoked_at is null`,
}

export async function findFileByToken(
  db: Db,
  installerNumber: number,
  token: string,
): Promise<ServedFile | null> {
  const [row] = await db.query<ServedFile>(byTokenStatement, [installerNumber, token])
  return row ?? null
}

export interface KeptFile extends ServedFile {
  addedBy: string | null
}

const ofProjectStatement: Statement = {
  name: 'file-of-project',
  text: `select installer_id as "installerId", project_id as "projectId", id, folder, name, type, extension, inline,
      store_key as "storeKey", encode(sha256, 'hex') as sha256, added_by as "addedBy"
    from files where installer_id = $1 and id = $3 and project_id = $2 and revoked_at is null`,
}

/** A file of a project by its id. */
export async function findProjectFile(
  db: Db,
  installerId: string,
  projectId: string,
  id: string,
): Promise<KeptFile | null> {
  if (!isId(id, 'file')) return null
  const [row] = await db.query<KeptFile>(ofProjectStatement, [installerId, projectId, id])
  return row ?? null
}

const knownKeysStatement: Statement = {
  name: 'file-store-keys-known',
  text: `select store_key from files where installer_id = $1 and store_key = any($2) and revoked_at is null
    union all select store_key from imports where installer_id = $1 and store_key = any($2)`,
}

/** Which of these keys of the store belong to a file that the tenant has, or is about to import. */
export async function findKnownStoreKeys(db: Db, installerId: string, keys: string[]): Promise<string[]> {
  const rows = await db.query<{ store_key: string }>(knownKeysStatement, [installerId, keys])
  return rows.map((row) => row.store_key)
}

export interface FolderKey {
  installerId: string
  /** The installer's: the days that a page shows are days there. */
  timezone: string
  folderSecret: string
}

const folderSecretStatement: Statement = {
  name: 'folder-secret',
  text: `select c.id as "installerId", c.timezone, p.folder_secret as "folderSecret"
    from companies c join projects p on p.installer_id = c.id
    where c.number = $1 and c.kind = 'installer' and p.id = $2`,
}

export async function findFolderSecret(
  db: Db,
  installerNumber: number,
  projectId: string,
): Promise<FolderKey | null> {
  const [row] = await db.query<FolderKey>(folderSecretStatement, [installerNumber, projectId])
  return row ?? null
}

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

const folderFilesStatement: Statement = {
  name: 'files-of-folder',
  text: `select id, name, token, type, extension, inline, size, added_at as "addedAt" from files
    where installer_id = $1 and project_id = $2 and folder = $3 and revoked_at is null and id > $4
    order by id limit $5`,
}

/** The files of a folder from the oldest, those after `afterId` ('' for the beginning). */
export function listFolderFiles(
  db: Db,
  installerId: string,
  projectId: string,
  folder: string,
  afterId: string,
  limit: number,
): Promise<ListedFile[]> {
  return db.query<ListedFile>(folderFilesStatement, [installerId, projectId, folder, afterId, limit])
}

export interface ProjectFileRow extends Omit<ListedFile, 'token'> {
  folder: Folder
  /** Null where no person did. */
  addedBy: string | null
}

const projectFilesStatement: Statement = {
  name: 'files-of-project',
  text: `select id, folder, name, type, extension, inline, size, added_at as "addedAt", added_by as "addedBy" from files
    where installer_id = $1 and project_id = $2 and folder = any($4) and revoked_at is null order by added_at desc, ordinal desc limit $3`,
}

/** The files of these folders, the newest first. */
export function listProjectFiles(
  db: Db,
  installerId: string,
  projectId: string,
  folders: readonly Folder[],
  limit: number,
): Promise<ProjectFileRow[]> {
  return db.query<ProjectFileRow>(projectFilesStatement, [installerId, projectId, limit, folders])
}

const folderCountStatement: Statement = {
  name: 'files-of-folder-count',
  text: `select count(*) as total, count(*) filter (where id <= $4) as before from files
    where installer_id = $1 and project_id = $2 and folder = $3 and revoked_at is null`,
}

/** How many files a folder has, and how many of them are not after `afterId`. */
export async function countFolderFiles(
  db: Db,
  installerId: string,
  projectId: string,
  folder: string,
  afterId: string,
): Promise<{ total: number; before: number }> {
  const [row] = await db.query<{ total: number; before: number }>(folderCountStatement, [
    installerId,
    projectId,
    folder,
    afterId,
  ])
  return row!
}
