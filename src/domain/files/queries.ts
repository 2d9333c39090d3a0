import type { Db, Statement } from '../../platform/db.ts'

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

export interface ServedFile {
  name: string
  type: string
  extension: string
  inline: boolean
  storeKey: string
  sha256: string
}

const byTokenStatement: Statement = {
  name: 'file-by-token',
  text: `select f.name, f.type, f.extension, f.inline, f.store_key as "storeKey", encode(f.sha256, 'hex') as sha256
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

const knownKeysStatement: Statement = {
  name: 'file-store-keys-known',
  text: 'select store_key from files where installer_id = $1 and store_key = any($2)',
}

/** Which of these keys of the store belong to a recorded file of the tenant. */
export async function findKnownStoreKeys(db: Db, installerId: string, keys: string[]): Promise<string[]> {
  const rows = await db.query<{ store_key: string }>(knownKeysStatement, [installerId, keys])
  return rows.map((row) => row.store_key)
}
