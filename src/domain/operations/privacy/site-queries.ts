import type { Db, Statement } from '../../../platform/db.ts'
import type { Invoice } from '../../billing/invoices/invoice.ts'
import { invoiceColumns } from '../../billing/invoices/queries.ts'
import { asciiLowered } from '../../kernel/email.ts'
import { erasedName } from '../../kernel/name.ts'
import type { Erasure, Place } from './erasure.ts'

export interface CustomerSite extends Place {
  id: string
  /** Whether a plan bills it still. */
  billed: boolean
}

const planEmail = asciiLowered("b.customer->>'email'")
const invoiceEmail = asciiLowered("i.customer->>'email'")

// Those that came from the project, and those that nobody tied to one and that are billed to the customer's address.
const sitesStatement: Statement = {
  name: 'installations-of-customer',
  text: `select i.id, i.name, i.address, coalesce(b.installation_id is not null and b.ended_at is null, false) as billed
    from installations i left join billing_plans b on b.installer_id = i.installer_id and b.installation_id = i.id
    where i.installer_id = $1 and i.company_id = $2
      and (i.project_id = $3 or (i.project_id is null and ${planEmail} = any($4::text[])))
    order by i.id limit 1000`,
}

/** The installations that are the customer's. */
export function findSites(
  db: Db,
  installerId: string,
  companyId: string,
  projectId: string | null,
  emails: readonly string[],
): Promise<CustomerSite[]> {
  return db.query<CustomerSite>(sitesStatement, [installerId, companyId, projectId, emails])
}

const eraseSiteStatement: Statement = {
  name: 'erase-installation',
  text: `with plan as (
      update billing_plans set customer = jsonb_build_object('name', $3::text, 'email', null, 'address', null)
      where installer_id = $1 and installation_id = $2
    )
    update installations set name = $3, address = '', version = version + 1
    where installer_id = $1 and id = $2 and (name <> $3 or address <> '') returning id`,
}

/** Whether it is otherwise than before. */
export async function eraseSite(tx: Db, installerId: string, id: string): Promise<boolean> {
  return (await tx.query(eraseSiteStatement, [installerId, id, erasedName])).length > 0
}

const alertsStatement: Statement = {
  name: 'privacy-alerts-of-installations',
  text: `select id, title, description from alerts where installer_id = $1 and installation_id = any($2::text[]) and id > $3
    order by id limit $4`,
}

export interface AlertText {
  id: string
  title: string
  description: string
}

export function listAlertTexts(
  tx: Db,
  installerId: string,
  siteIds: readonly string[],
  after: string,
  limit: number,
): Promise<AlertText[]> {
  return tx.query<AlertText>(alertsStatement, [installerId, siteIds, after, limit])
}

const saveAlertsStatement: Statement = {
  name: 'save-alert-texts',
  text: `update alerts a set title = s.title, description = s.description, version = a.version + 1
    from unnest($2::text[], $3::text[], $4::text[]) as s(id, title, description)
    where a.installer_id = $1 and a.id = s.id`,
}

export async function saveAlertTexts(
  tx: Db,
  installerId: string,
  alerts: readonly AlertText[],
): Promise<void> {
  await tx.query(saveAlertsStatement, [
    installerId,
    alerts.map(({ id }) => id),
    alerts.map(({ title }) => title),
    alerts.map(({ description }) => description),
  ])
}

const invoicesStatement: Statement = {
  name: 'invoices-of-customer',
  text: `select ${invoiceColumns} from invoices i
    where i.installer_id = $1 and i.company_id = $2 and i.id > $5 and (i.installation_id = any($3::text[])
      or (i.installation_id is null and ${invoiceEmail} = any($4::text[])))
    order by i.id limit $6`,
}

/** What the customer was billed: by installation, or by their email where it is for none. */
export function listCustomerInvoices(
  db: Db,
  { installerId, companyId }: Pick<Erasure, 'installerId' | 'companyId'>,
  siteIds: readonly string[],
  emails: readonly string[],
  after: string,
  limit: number,
): Promise<Invoice[]> {
  return db.query<Invoice>(invoicesStatement, [installerId, companyId, siteIds, emails, after, limit])
}
