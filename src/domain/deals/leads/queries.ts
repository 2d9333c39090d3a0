import type { Db, Statement } from '../../../platform/db.ts'
import { isId, isReference } from '../../../platform/ids.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import { listStatement, type Page, type PageRequest, pageOf, pageValues } from '../renderings/page.ts'
import { externalIdHash } from './lead.ts'

const byExternalId: Statement = {
  name: 'lead-by-external-id',
  text: `select id from leads where installer_id = $1 and company_id = $2 and external_id = $3
    union all select lead_id from erasures
      where installer_id = $1 and company_id = $2 and external_id_hash = decode($4, 'hex') and external_id_hash is not null
    limit 1`,
}

/** The company's lead of this id of its own; one that was erased is it still. */
export async function findLeadIdByExternalId(
  db: Db,
  installerId: string,
  companyId: string,
  externalId: string,
): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(byExternalId, [
    installerId,
    companyId,
    externalId,
    externalIdHash(companyId, externalId),
  ])
  return row?.id ?? null
}

const reading =
  'select id, rendering from leads where installer_id = $1 and ($3::text is null or company_id = $3)'
const readById: Statement = { shared: 'read', name: 'read-lead-by-id', text: `${reading} and id = $2` }
const readByReference: Statement = {
  shared: 'read',
  name: 'read-lead-by-reference',
  text: `${reading} and reference = $2`,
}

export interface LeadReading {
  id: string
  rendering: string
}

/** A lead's rendering by id or reference, among the tenant's leads or one company's. */
export async function readLead(
  db: Db,
  installerId: string,
  companyId: string | null,
  key: string,
): Promise<LeadReading | null> {
  const statement = isId(key, 'lead') ? readById : isReference(key) ? readByReference : null
  if (!statement) return null
  const [row] = await db.query<LeadReading>(statement, [installerId, key, companyId])
  return row ?? null
}

/** A page of leads, newest change first. */
export async function listLeads(
  db: Db,
  installerId: string,
  companyId: string | null,
  productLine: ProductLine | null,
  page: PageRequest,
): Promise<Page> {
  const statement = listStatement('leads', 'rendering', companyId !== null, productLine !== null)
  return pageOf(await db.query(statement, pageValues(installerId, companyId, productLine, page)))
}
