import type pg from 'pg'
import { sealedForWebhook, sealedSecret } from '../../src/domain/delivery/webhooks/sealed-secrets.ts'
import { createSecret } from '../../src/domain/delivery/webhooks/secret.ts'
import type { Company } from '../../src/domain/kernel/tenant/company.ts'
import type { Directory } from '../../src/domain/kernel/tenant/directory.ts'
import type { Member } from '../../src/domain/kernel/tenant/member.ts'
import { hashOf, interfaces, prefixOf } from '../../src/domain/tenants/keys/key.ts'
import { newDefaultStages } from '../../src/domain/tenants/ladders/create-default-ladders.ts'
import { newId } from '../../src/platform/ids.ts'
import { createSecretBox } from '../../src/platform/secret-box.ts'
import { secretKey } from '../database.ts'
import { staff } from '../seed/tenants.ts'
import { insertAll } from './insert-all.ts'
import { type Inhabitant, keySecret } from './population.ts'

/** Until a run begins, nobody listens there. */
const noReceiver = 'http://127.0.0.1:9/hook'

export interface SeededCompanies {
  /** Of each company, by its place. */
  ids: string[]
  /** Of each installer, by its place. */
  directories: Directory[]
}

/** Companies, keys, people, ladders and endpoints, a table at a time. */
export async function seedCompanies(
  client: pg.Client,
  population: readonly Inhabitant[],
  salt: string,
  now: Date,
): Promise<SeededCompanies> {
  const numbers = await client.query<{ number: number }>(
    `select nextval('company_numbers')::int as number from generate_series(1, $1)`,
    [population.length],
  )
  const ids = population.map(() => newId('comp'))
  const companies = population.map(
    ({ installer }, place): Company => ({
      id: ids[place]!,
      installerId: ids[installer]!,
      kind: installer === place ? 'installer' : 'dealer',
      number: numbers.rows[place]!.number,
      name: installer === place ? `Installer ${place + 1}` : `Dealer ${place + 1}`,
      timezone: 'America/Los_Angeles',
      country: 'US',
      status: 'active',
      createdAt: now,
    }),
  )
  const told = new Set(population.flatMap((one) => (one.told ? [ids[one.installer]!] : [])))
  const directories = companies
    .filter(({ kind }) => kind === 'installer')
    .map((installer) => directoryOf(installer, told.has(installer.id)))
  const byId = new Map(directories.map((one) => [one.installerId, one.companies as Map<string, Company>]))
  for (const company of companies) byId.get(company.installerId)!.set(company.id, company)

  await insertAll(client, 'companies', companies.map(companyRow))
  await insertAll(
    client,
    'tenant_clocks',
    directories.map(({ installerId }) => ({
      installer_id: installerId,
      now,
      directory_version: 0,
      messages: 0,
    })),
  )
  await insertAll(
    client,
    'api_keys',
    companies.map((company, place) => keyRow(company, keySecret(salt, place), now)),
  )
  await insertAll(
    client,
    'members',
    directories.flatMap((directory) => memberRows(directory, now)),
  )
  await insertAll(client, 'stages', directories.flatMap(stageRows))
  await insertEndpoints(client, directories, now)
  return { ids, directories }
}

function directoryOf(installer: Company, webhooks: boolean): Directory {
  const members = staff.map(
    ([role, name], i): Member => ({
      id: newId('memb'),
      companyId: installer.id,
      email: `${role}.${i}@${installer.number}.example.com`,
      name,
      phone: `+1 619 555 01${String(i).padStart(2, '0')}`,
      role,
      active: true,
    }),
  )
  const stages = newDefaultStages()
  return {
    installerId: installer.id,
    version: 0,
    companies: new Map(),
    members: new Map(members.map((member) => [member.id, member])),
    membersByEmail: new Map(members.map((member) => [`${member.companyId} ${member.email}`, member])),
    stages: new Map(stages.map((stage) => [stage.id, stage])),
    webhooks,
  }
}

const companyRow = ({
  id,
  installerId,
  kind,
  number,
  name,
  timezone,
  country,
  status,
  createdAt,
}: Company) => ({
  ...{ id, kind, number, name, timezone, country, status },
  installer_id: installerId,
  created_at: createdAt,
  second_factor_required: false,
})

const keyRow = ({ id, installerId }: Company, secret: string, now: Date) => ({
  id: newId('key'),
  company_id: id,
  installer_id: installerId,
  name: 'bench',
  prefix: prefixOf(secret),
  hash: `\\x${hashOf(secret).toString('hex')}`,
  access: 'full',
  interfaces,
  created_at: now,
})

const memberRows = ({ installerId, members }: Directory, now: Date) =>
  [...members.values()].map(({ id, companyId, email, name, phone, role }) => ({
    ...{ id, email, name, phone, role },
    installer_id: installerId,
    company_id: companyId,
    created_at: now,
  }))

const stageRows = ({ installerId, stages }: Directory) =>
  [...stages.values()].map((stage) => ({
    installer_id: installerId,
    id: stage.id,
    product_line: stage.productLine,
    position: stage.position,
    name: stage.name,
    milestone: stage.milestone,
    days_allowed: stage.daysAllowed,
    checklist: stage.checklist,
    alerts: stage.alerts,
    messages: stage.messages,
    version: 1,
  }))

/** As `createWebhook` leaves them: told of what happens from now on. */
async function insertEndpoints(
  client: pg.Client,
  directories: readonly Directory[],
  now: Date,
): Promise<void> {
  const box = createSecretBox([secretKey])
  const told = directories.filter(({ webhooks }) => webhooks)
  await insertAll(
    client,
    'webhook_cursors',
    told.map(({ installerId }) => ({ installer_id: installerId, woken: 0, watched_until: '-infinity' })),
  )
  await insertAll(
    client,
    'webhooks',
    told.map(({ installerId }) => {
      const id = newId('we')
      return {
        installer_id: installerId,
        id,
        company_id: installerId,
        url: noReceiver,
        events: ['*'],
        status: 'enabled',
        secrets: [sealedSecret(box, sealedForWebhook(installerId, id), createSecret())],
        created_at: now,
        place: 0,
        not_told: `{(,"${now.toISOString()}"]}`,
        description: '',
      }
    }),
  )
}
