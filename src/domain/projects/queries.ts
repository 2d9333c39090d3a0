import type { Db, Statement } from '../../platform/db.ts'
import { isId, isReference } from '../../platform/ids.ts'
import type { ProductLine } from '../ladders/stage.ts'
import { listStatement, type Page, type PageRequest, pageOf, pageValues } from '../renderings/page.ts'

const reading = `select case when $3::text is null then p.rendering else coalesce(p.dealer_rendering, p.rendering) end as rendering
  from projects p where p.installer_id = $1 and ($3::text is null or p.company_id = $3)`
const readById: Statement = { shared: 'read', name: 'read-project-by-id', text: `${reading} and p.id = $2` }
const readByLeadId: Statement = {
  shared: 'read',
  name: 'read-project-by-lead-id',
  text: `${reading} and p.lead_id = $2`,
}
const readByReference: Statement = {
  shared: 'read',
  name: 'read-project-by-reference',
  text: `${reading} and p.reference = $2`,
}
const readByLeadReference: Statement = {
  shared: 'read',
  name: 'read-project-by-lead-reference',
  text: `${reading} and p.lead_id = (select id from leads where installer_id = $1 and reference = $2)`,
}

/** A project's rendering by its id or reference, or its lead's; `companyId` confines to one company's. */
export async function readProject(
  db: Db,
  installerId: string,
  companyId: string | null,
  key: string,
): Promise<string | null> {
  const read = async (statement: Statement) => {
    const [row] = await db.query<{ rendering: string }>(statement, [installerId, key, companyId])
    return row?.rendering ?? null
  }
  if (isId(key, 'proj')) return read(readById)
  if (isId(key, 'lead')) return read(readByLeadId)
  if (isReference(key)) return (await read(readByReference)) ?? (await read(readByLeadReference))
  return null
}

/** A page of project rows, newest change first. */
export async function listProjects(
  db: Db,
  installerId: string,
  companyId: string | null,
  productLine: ProductLine | null,
  page: PageRequest,
): Promise<Page> {
  const statement = listStatement('projects', 'row_rendering', companyId !== null, productLine !== null)
  return pageOf(await db.query(statement, pageValues(installerId, companyId, productLine, page)))
}
