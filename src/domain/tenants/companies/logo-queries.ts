import { bytes, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { exists, maybeOne, maybeScalar, run } from '../../../platform/sql/statements.ts'

export interface Logo {
  png: Buffer
  sha256: string
}

interface OfCompany {
  installerId: string
  companyId: string
}

const logo = row<Logo>({ png: bytes, sha256: text })
const ofCompany = ($: Params<OfCompany>) =>
  sql`installer_id = ${$.installerId} and company_id = ${$.companyId}`

export const findLogo = maybeOne(
  logo,
  ($: Params<OfCompany>) => sql`select ${select(logo)} from company_logos where ${ofCompany($)}`,
)

/** What tells one logo of the company from another; null where it has none. */
export const findLogoHash = maybeScalar(
  { sha256: text },
  ($: Params<OfCompany>) => sql`select sha256 from company_logos where ${ofCompany($)}`,
  { shared: 'read' },
)

export const saveLogo = run(
  ($: Params<OfCompany & Logo & { now: Date }>) => sql`
    insert into company_logos (installer_id, company_id, png, sha256, changed_at)
    values (${$.installerId}, ${$.companyId}, ${$.png}, ${$.sha256}, ${$.now})
    on conflict (installer_id, company_id)
      do update set png = excluded.png, sha256 = excluded.sha256, changed_at = excluded.changed_at`,
)

/** Whether there was one. */
export const deleteLogo = exists(
  ($: Params<OfCompany>) => sql`delete from company_logos where ${ofCompany($)} returning sha256`,
)
