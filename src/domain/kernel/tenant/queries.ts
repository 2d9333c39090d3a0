import type { Db, Statement } from '../../../platform/db.ts'
import type { Company } from './company.ts'
import type { Directory } from './directory.ts'
import type { Member } from './member.ts'
import type { Stage } from './stage.ts'

const companyColumns = `id, installer_id as "installerId", kind, number, name, timezone, country, status, created_at as "createdAt"`

const insertCompanyStatement: Statement = {
  name: 'insert-company',
  text: `with company as (
      insert into companies (id, installer_id, kind, name, timezone, created_at)
      values ($1, $2, $3, $4, $5, $6) returning *
    )
    select ${companyColumns} from company`,
}

export async function insertCompany(
  db: Db,
  company: Omit<Company, 'number' | 'status' | 'country'>,
): Promise<Company> {
  const [row] = await db.query<Company>(insertCompanyStatement, [
    company.id,
    company.installerId,
    company.kind,
    company.name,
    company.timezone,
    company.createdAt,
  ])
  return row!
}

const findCompanyStatement: Statement = {
  name: 'find-company',
  text: `select ${companyColumns} from companies where id = $1 or number::text = $1`,
}

/** By id or number. */
export async function findCompany(db: Db, idOrNumber: string): Promise<Company | null> {
  const [row] = await db.query<Company>(findCompanyStatement, [idOrNumber])
  return row ?? null
}

const companyNumbered: Statement = {
  shared: 'read',
  name: 'company-numbered',
  text: 'select id from companies where installer_id = $1 and number = $2',
}

/** The id of the tenant's company that has this number. */
export async function findCompanyNumbered(
  db: Db,
  installerId: string,
  number: number,
): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(companyNumbered, [installerId, number])
  return row?.id ?? null
}

const listCompaniesStatement: Statement = {
  name: 'list-companies',
  text: `select ${companyColumns} from companies where number > $1 order by number limit $2`,
}

export function listCompanies(db: Db, afterNumber: number, limit: number): Promise<Company[]> {
  return db.query<Company>(listCompaniesStatement, [afterNumber, limit])
}

const updateCompanyStatement: Statement = {
  name: 'update-company',
  text: 'update companies set name = $2, timezone = $3, country = $4, status = $5 where id = $1',
}

export async function updateCompany(tx: Db, company: Company): Promise<void> {
  await tx.query(updateCompanyStatement, [
    company.id,
    company.name,
    company.timezone,
    company.country,
    company.status,
  ])
}

// One statement, so that the version and what it stands for are of one moment.
const loadDirectoryStatement: Statement = {
  name: 'load-directory',
  text: `select c.directory_version as version,
      (select json_agg(json_build_object('id', id, 'installerId', installer_id, 'kind', kind, 'number', number,
          'name', name, 'timezone', timezone, 'country', country, 'status', status, 'createdAt', created_at))
        from companies where installer_id = $1) as companies,
      (select json_agg(json_build_object('id', id, 'companyId', company_id, 'email', email, 'name', name,
          'phone', phone, 'role', role, 'active', deactivated_at is null))
        from members where installer_id = $1) as members,
      (select json_agg(json_build_object('id', id, 'productLine', product_line, 'position', position, 'name', name,
          'milestone', milestone, 'daysAllowed', days_allowed, 'checklist', checklist, 'alerts', alerts,
          'messages', messages, 'retired', retired_at is not null))
        from stages where installer_id = $1) as stages,
      exists (select from webhooks where installer_id = $1 and deleted_at is null) as webhooks
    from tenant_clocks c where c.installer_id = $1`,
}

interface DirectoryRow {
  version: number
  companies: (Omit<Company, 'createdAt'> & { createdAt: string })[] | null
  members: Member[] | null
  stages: Stage[] | null
  webhooks: boolean
}

export async function loadDirectory(db: Db, installerId: string): Promise<Directory> {
  const [row] = await db.query<DirectoryRow>(loadDirectoryStatement, [installerId])
  if (!row) throw new Error(`no installer ${installerId}`)
  const members = row.members ?? []
  return {
    installerId,
    version: row.version,
    companies: new Map((row.companies ?? []).map((c) => [c.id, { ...c, createdAt: new Date(c.createdAt) }])),
    members: new Map(members.map((m) => [m.id, m])),
    membersByEmail: new Map(members.filter((m) => m.active).map((m) => [`${m.companyId} ${m.email}`, m])),
    stages: new Map((row.stages ?? []).map((s) => [s.id, s])),
    webhooks: row.webhooks,
  }
}
