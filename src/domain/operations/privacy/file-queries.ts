import { instant, integer, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many } from '../../../platform/sql/statements.ts'
import type { Folder } from '../../kernel/folder.ts'

interface OfProject {
  installerId: string
  projectId: string
  limit: number
}

/** Takes some of a project's files out of the records; answers where their contents are. */
export const deleteFileRows = many(
  row<{ storeKey: string }>({ storeKey: text }),
  ($: Params<OfProject>) => sql`
    delete from files where installer_id = ${$.installerId} and id in (
      select id from files where installer_id = ${$.installerId} and project_id = ${$.projectId} limit ${$.limit})
    returning store_key as "storeKey"`,
)

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

const customerFile = row<CustomerFile>({
  id: text,
  folder: text,
  name: text,
  type: text,
  size: integer,
  addedAt: instant,
  sourceUrl: text,
  storeKey: text,
})

export const listCustomerFiles = many(
  customerFile,
  ($: Params<OfProject & { after: string }>) => sql`
    select ${select(customerFile)} from files
    where installer_id = ${$.installerId} and project_id = ${$.projectId} and revoked_at is null and id > ${$.after}
    order by id limit ${$.limit}`,
)
