import type { Db } from '../../../platform/db.ts'
import { isId, isReference } from '../../../platform/ids.ts'
import { row, text } from '../../../platform/sql/row.ts'
import { type Params, pick, sql, when } from '../../../platform/sql/sql.ts'
import { maybeOne, maybeScalar } from '../../../platform/sql/statements.ts'
import { pagesOf } from '../renderings/page.ts'
import { externalIdHash } from './lead.ts'

const idByExternalId = maybeScalar(
  { id: text },
  ($: Params<{ installerId: string; companyId: string; externalId: string; hash: string }>) => sql`
    select id from leads
    where installer_id = ${$.installerId} and company_id = ${$.companyId} and external_id = ${$.externalId}
    union all select lead_id from erasures
      where installer_id = ${$.installerId} and company_id = ${$.companyId}
        and external_id_hash = decode(${$.hash}, 'hex') and external_id_hash is not null
    limit 1`,
)

/** The company's lead of this id of its own; one that was erased is it still. */
export function findLeadIdByExternalId(
  db: Db,
  installerId: string,
  companyId: string,
  externalId: string,
): Promise<string | null> {
  const hash = externalIdHash(companyId, externalId)
  return idByExternalId(db, { installerId, companyId, externalId, hash })
}

export interface RenderedLead {
  id: string
  rendering: string
}

const renderedLead = maybeOne(
  row<RenderedLead>({ id: text, rendering: text }),
  ($: Params<{ installerId: string; companyId: string | null; by: 'id' | 'reference'; key: string }>) => sql`
    select id, rendering from leads
    where installer_id = ${$.installerId} ${when($.companyId, sql`and company_id = ${$.companyId}`)}
      and ${pick($.by, { id: sql`id`, reference: sql`reference` })} = ${$.key}`,
  { shared: 'read' },
)

/** A lead's rendering by id or reference, among the tenant's leads or one company's. */
export async function readLead(
  db: Db,
  installerId: string,
  companyId: string | null,
  key: string,
): Promise<RenderedLead | null> {
  const by = isId(key, 'lead') ? 'id' : isReference(key) ? 'reference' : null
  return by && renderedLead(db, { installerId, companyId, by, key })
}

/** A page of leads by the time of their last change. */
export const listLeads = pagesOf('leads', sql`rendering`)
