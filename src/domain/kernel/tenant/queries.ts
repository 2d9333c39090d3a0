import type { Db } from '../../../platform/db.ts'
import { boolean, instant, integer, json, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many, maybeOne, maybeScalar, one, run } from '../../../platform/sql/statements.ts'
import type { Company } from './company.ts'
import type { Directory } from './directory.ts'
import type { Member } from './member.ts'
import type { Stage } from './stage.ts'

const company = row<Company>({
  id: text,
  installerId: text,
  kind: text,
  number: integer,
  name: text,
  timezone: text,
  country: text,
  status: text,
  createdAt: instant,
})

interface OfTenant {
  installerId: string
}

export const insertCompany = one(
  company,
  ($: Params<Omit<Company, 'number' | 'status' | 'country'>>) => sql`
    with company as (
      insert into companies (id, installer_id, kind, name, timezone, created_at)
      values (${$.id}, ${$.installerId}, ${$.kind}, ${$.name}, ${$.timezone}, ${$.createdAt}) returning *
    )
    select ${select(company)} from company`,
)

/** By id or number. */
export const findCompany = maybeOne(
  company,
  ($: Params<{ idOrNumber: string }>) => sql`
    select ${select(company)} from companies where id = ${$.idOrNumber} or number::text = ${$.idOrNumber}`,
  { across: 'finds the tenant of a company' },
)

/** The id of the tenant's company that has this number. */
export const findCompanyNumbered = maybeScalar(
  { id: text },
  ($: Params<OfTenant & { number: number }>) =>
    sql`select id from companies where installer_id = ${$.installerId} and number = ${$.number}`,
  { shared: 'read' },
)

export interface AddressedInstaller {
  installerId: string
  timezone: string
}

/** The installer whose number an address has. */
export const findInstallerNumbered = maybeOne(
  row<AddressedInstaller>({ installerId: text, timezone: text }),
  ($: Params<{ number: number }>) => sql`
    select id as "installerId", timezone from companies where number = ${$.number} and kind = 'installer'`,
  { shared: 'read', across: 'an address names the installer by its number' },
)

export const listCompanies = many(
  company,
  ($: Params<{ afterNumber: number; limit: number }>) => sql`
    select ${select(company)} from companies where number > ${$.afterNumber} order by number limit ${$.limit}`,
  { across: 'for whoever runs the server' },
)

export const updateCompanyRow = run(
  ($: Params<Company>) => sql`
    update companies set name = ${$.name}, timezone = ${$.timezone}, country = ${$.country}, status = ${$.status}
    where installer_id = ${$.installerId} and id = ${$.id}`,
)

interface DirectoryRow {
  version: number
  companies: (Omit<Company, 'createdAt'> & { createdAt: string })[] | null
  members: Member[] | null
  stages: Stage[] | null
  webhooks: boolean
}

// One statement, so that the version and what it stands for are of one moment.
const readDirectory = maybeOne(
  row<DirectoryRow>({ version: integer, companies: json, members: json, stages: json, webhooks: boolean }),
  ($: Params<OfTenant>) => sql`
    select c.directory_version as version,
      (select json_agg(json_build_object('id', id, 'installerId', installer_id, 'kind', kind, 'number', number,
          'name', name, 'timezone', timezone, 'country', country, 'status', status, 'createdAt', created_at))
        from companies where installer_id = ${$.installerId}) as companies,
      (select json_agg(json_build_object('id', id, 'companyId', company_id, 'email', email, 'name', name,
          'phone', phone, 'role', role, 'active', deactivated_at is null))
        from members where installer_id = ${$.installerId}) as members,
      (select json_agg(json_build_object('id', id, 'productLine', product_line, 'position', position, 'name', name,
          'milestone', milestone, 'daysAllowed', days_allowed, 'checklist', checklist, 'alerts', alerts,
          'messages', messages, 'retired', retired_at is not null))
        from stages where installer_id = ${$.installerId}) as stages,
      exists (select from webhooks where installer_id = ${$.installerId} and deleted_at is null) as webhooks
    from tenant_clocks c where c.installer_id = ${$.installerId}`,
)

export async function loadDirectory(db: Db, installerId: string): Promise<Directory> {
  const found = await readDirectory(db, { installerId })
  if (!found) throw new Error(`no installer ${installerId}`)
  const members = found.members ?? []
  return {
    installerId,
    version: found.version,
    companies: new Map(
      (found.companies ?? []).map((c) => [c.id, { ...c, createdAt: new Date(c.createdAt) }]),
    ),
    members: new Map(members.map((m) => [m.id, m])),
    membersByEmail: new Map(members.filter((m) => m.active).map((m) => [`${m.companyId} ${m.email}`, m])),
    stages: new Map((found.stages ?? []).map((s) => [s.id, s])),
    webhooks: found.webhooks,
  }
}

const installersAfter = many(
  row<{ id: string }>({ id: text }),
  ($: Params<{ after: string; limit: number }>) => sql`
    select id from companies where kind = 'installer' and id > ${$.after} order by id limit ${$.limit}`,
  { across: 'every installer is gone through' },
)

const installersAtOnce = 100

/** The id of every installer, one after the other. */
export async function* eachInstaller(db: Db): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const rows = await installersAfter(db, { after, limit: installersAtOnce })
    for (const { id } of rows) yield id
    if (rows.length < installersAtOnce) return
    after = rows.at(-1)!.id
  }
}
