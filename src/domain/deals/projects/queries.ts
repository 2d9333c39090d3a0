import type { Db, Statement } from '../../../platform/db.ts'
import { isId, isReference } from '../../../platform/ids.ts'
import type { LineReach } from '../../kernel/context.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import { perPage } from '../renderings/counted-lists.ts'
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

const readingLegacy = `select p.legacy_rendering as record from projects p
  where p.installer_id = $1 and ($3::text is null or p.company_id = $3) and p.product_line = $4`
const readLegacy = (name: string, condition: string): Statement => ({
  shared: 'read',
  name: `read-legacy-project-by-${name}`,
  text: `${readingLegacy} and ${condition}`,
})
const readLegacyById = readLegacy('id', 'p.id = $2')
const readLegacyByLeadId = readLegacy('lead-id', 'p.lead_id = $2')
const readLegacyByReference = readLegacy('reference', 'p.reference = $2')
const readLegacyByLeadReference = readLegacy(
  'lead-reference',
  'p.lead_id = (select id from leads where installer_id = $1 and reference = $2)',
)

/** A project of one product line in the words of the legacy API, by its id or reference, or its lead's. */
export async function readLegacyProject(db: Db, reach: LineReach, key: string): Promise<string | null> {
  const read = async (statement: Statement) => {
    const { installerId, companyId, productLine } = reach
    const [row] = await db.query<{ record: string }>(statement, [installerId, key, companyId, productLine])
    return row?.record ?? null
  }
  if (isId(key, 'proj')) return read(readLegacyById)
  if (isId(key, 'lead')) return read(readLegacyByLeadId)
  if (isReference(key)) return (await read(readLegacyByReference)) ?? (await read(readLegacyByLeadReference))
  return null
}

const legacyPage = (byCompany: boolean): Statement => ({
  name: `legacy-project-page${byCompany ? '-company' : ''}`,
  text: `select legacy_rendering as record, updated_at as at from projects
    where installer_id = $1 and product_line = $2 and updated_at <= $3${byCompany ? ' and company_id = $4' : ''}
    order by updated_at desc limit ${perPage + 1}`,
})
const legacyPageOfTenant = legacyPage(false)
const legacyPageOfCompany = legacyPage(true)

/** The page of legacy projects that begins with the one changed at `start`. */
export async function readLegacyProjectPage(db: Db, reach: LineReach, start: Date) {
  const { installerId, companyId, productLine } = reach
  const statement = companyId === null ? legacyPageOfTenant : legacyPageOfCompany
  const values = [installerId, productLine, start.toISOString()]
  const found = await db.query<{ record: string; at: Date }>(
    statement,
    companyId === null ? values : [...values, companyId],
  )
  return { rows: found.slice(0, perPage).map((row) => row.record), next: found[perPage]?.at ?? null }
}
