import type { Db, Statement } from '../../../platform/db.ts'
import type { Folder } from '../../kernel/folder.ts'

const deleteStatement: Statement = {
  name: 'erase-files',
  text: `delete from files where installer_id = $1 and id in (
      select id from files where installer_id = $1 and project_id = $2 limit $3)
    returning store_key`,
}

/** Takes some of a project's files out of the records; answers where their contents are. */
export async function deleteFileRows(
  db: Db,
  installerId: string,
  projectId: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ store_key: string }>(deleteStatement, [installerId, projectId, limit])
  return rows.map(({ store_key }) => store_key)
}

export interface CustomerFile {
  id: string
  folder: Folder
  name: string
  type: string
  size: number
  addedAt: Date
  sourceUrl: string
  storeKey: string
}

const listStatement: Statement = {
  name: 'files-of-customer',
  text: `select id, folder, name, type, size, added_at as "addedAt", source_url as "sourceUrl", store_key as "storeKey" from files
    where installer_id = $1 and project_id = $2 and revoked_at is null and id > $3 order by id limit $4`,
}

export function listCustomerFiles(
  db: Db,
  installerId: string,
  projectId: string,
  after: string,
  limit: number,
): Promise<CustomerFile[]> {
  return db.query<CustomerFile>(listStatement, [installerId, projectId, after, limit])
}
