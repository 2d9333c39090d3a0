import type { Db } from '../../../platform/db.ts'
import { boolean, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { many, maybeOne, run } from '../../../platform/sql/statements.ts'
import { invoiceRow, invoiceSelection } from '../../billing/invoices/queries.ts'
import { asciiLowered } from '../../kernel/email.ts'
import type { Billed, Place } from './erasure.ts'

interface Customer {
  installerId: string
  /** Whose books are looked through. */
  companyIds: readonly string[]
  emails: readonly string[]
}

export interface CustomerInstallation extends Place {
  id: string
  /** Whether a plan bills it still. */
  billed: boolean
}

const customerInstallation = row<CustomerInstallation>({
  id: text,
  name: text,
  address: text,
  billed: boolean,
})
const planEmail = raw(asciiLowered("b.customer->>'email'"))
const invoiceEmail = raw(asciiLowered("i.customer->>'email'"))

/** Those that came from the project, and those that nobody tied to one and that are billed to the customer's address. */
export const findCustomerInstallations = many(
  customerInstallation,
  ($: Params<Customer & { projectId: string | null }>) => sql`
    select ${select(customerInstallation, 'i', {
      billed: sql`coalesce(b.installation_id is not null and b.ended_at is null, false)`,
    })}
    from installations i left join billing_plans b on b.installer_id = i.installer_id and b.installation_id = i.id
    where i.installer_id = ${$.installerId} and i.company_id = any(${$.companyIds}::text[])
      and (i.project_id = ${$.projectId} or i.former_project_id = ${$.projectId}
        or (i.project_id is null and i.former_project_id is null and ${planEmail} = any(${$.emails}::text[])))
    order by i.id limit 1000`,
)

/** Answers it where it is otherwise than before. */
export const eraseInstallation = maybeOne(
  row<{ id: string }>({ id: text }),
  ($: Params<{ installerId: string; id: string; name: string; at: Date }>) => sql`with plan as (
      update billing_plans set customer = jsonb_build_object('name', ${$.name}::text, 'email', null, 'address', null)
      where installer_id = ${$.installerId} and installation_id = ${$.id}
    )
    update installations set name = ${$.name}, address = '', version = version + 1, updated_at = ${$.at}
    where installer_id = ${$.installerId} and id = ${$.id} and (name <> ${$.name} or address <> '') returning id`,
)

export interface AlertText {
  id: string
  title: string
  description: string
}

const alertText = row<AlertText>({ id: text, title: text, description: text })

export const listAlertTexts = many(
  alertText,
  (
    $: Params<{ installerId: string; installationIds: readonly string[]; after: string; limit: number }>,
  ) => sql`
    select ${select(alertText)} from alerts
    where installer_id = ${$.installerId} and installation_id = any(${$.installationIds}::text[]) and id > ${$.after}
    order by id limit ${$.limit}`,
)

const updateAlerts = run(
  (
    $: Params<{ installerId: string; ids: string[]; titles: string[]; descriptions: string[]; at: Date }>,
  ) => sql`
    update alerts a set title = s.title, description = s.description, version = a.version + 1,
      updated_at = ${$.at}
    from unnest(${$.ids}::text[], ${$.titles}::text[], ${$.descriptions}::text[]) as s(id, title, description)
    where a.installer_id = ${$.installerId} and a.id = s.id`,
)

export async function saveAlertTexts(
  tx: Db,
  installerId: string,
  alerts: readonly AlertText[],
  at: Date,
): Promise<void> {
  await updateAlerts(tx, {
    installerId,
    at,
    ids: alerts.map(({ id }) => id),
    titles: alerts.map(({ title }) => title),
    descriptions: alerts.map(({ description }) => description),
  })
}

interface CustomerInvoices extends Customer, Pick<Billed, 'names' | 'addresses'> {
  installationIds: readonly string[]
  after: string
  limit: number
}

/** What the customer was billed: by installation, or where it is for none by their email, or name and street. */
export const listCustomerInvoices = many(
  invoiceRow,
  ($: Params<CustomerInvoices>) => sql`
    select ${invoiceSelection} from invoices i
    where i.installer_id = ${$.installerId} and i.company_id = any(${$.companyIds}::text[]) and i.id > ${$.after}
      and (i.installation_id = any(${$.installationIds}::text[])
        or (i.installation_id is null and ${invoiceEmail} = any(${$.emails}::text[]))
        or (i.installation_id is null and coalesce(i.customer->>'email', '') = ''
          and search_form(i.customer->>'name') in (select search_form(n) from unnest(${$.names}::text[]) n)
          and exists (select from unnest(${$.addresses}::text[]) a
            where starts_with(search_form(i.customer->>'address'), search_form(a)))))
    order by i.id limit ${$.limit}`,
)
