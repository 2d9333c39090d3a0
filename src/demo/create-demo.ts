import { randomBytes } from 'node:crypto'
import { insertAdder, insertEquipment } from '../domain/catalogue/queries.ts'
import type { FileCopying } from '../domain/deals/files/copy-files.ts'
import type { Actor } from '../domain/kernel/context.ts'
import { createDirectories } from '../domain/kernel/tenant/directories.ts'
import { loadDirectory } from '../domain/kernel/tenant/queries.ts'
import { createPartitionsFor } from '../domain/sites/energy/partitions.ts'
import { createCompany } from '../domain/tenants/companies/create-company.ts'
import { createKey } from '../domain/tenants/keys/create-key.ts'
import { patchStage } from '../domain/tenants/ladders/patch-stage.ts'
import { addMember } from '../domain/tenants/members/add-member.ts'
import { givePassword } from '../domain/tenants/people/set-password.ts'
import type { Database, Db } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import { withinTransaction } from '../platform/within-transaction.ts'
import { addersOf, pricesOf } from './adders.ts'
import { demoPlans } from './companies.ts'
import type { CreatedCompany } from './created-company.ts'
import type { DemoCompany } from './demo-json.ts'
import { equipmentOf } from './equipment.ts'
import { customerMessages } from './messages.ts'
import type { Plan } from './plan.ts'
import { settleMails } from './queries.ts'
import { findFaults, monthsMeasured } from './run-installations.ts'
import { createStepRunner } from './step-runner.ts'

/** Makes the companies and lets happen what was planned, all in the one transaction. */
export async function createDemo(tx: Db, plan: Plan, copying: FileCopying): Promise<DemoCompany[]> {
  const db = withinTransaction(tx)
  const companies: CreatedCompany[] = []
  for (const index of demoPlans.keys()) companies.push(await makeCompany(db, plan, index, companies))
  // Before the tenants go on side by side: a reading that found no partition would end the transaction.
  await createPartitionsFor(db, monthsMeasured(plan.today))
  const directories = createDirectories()
  const runStep = createStepRunner({ db, directories, copying, companies, today: plan.today })
  await runByGroup(plan.steps, ({ company }) => companies[company]!.company.installerId, runStep)
  for (const { company, actors } of companies) {
    if (company.kind !== 'installer') continue
    await settleMails(tx, { installerId: company.id })
    // Last, for it brings the tenant's clock up to now.
    await findFaults({ db, directories, actor: actors.get('')!, now: plan.today })
  }
  return Promise.all(
    companies.map(async ({ company, key, actors }, index) => {
      const { staff } = plan.companies[index]!
      const password = randomBytes(12).toString('base64url')
      const { installerId } = company
      const members = staff.map((one) => ({ ...one, installerId, id: actors.get(one.email)!.id! }))
      await givePassword(db, plan.today, members, password)
      return {
        name: company.name,
        kind: company.kind,
        id: company.id,
        orgId: company.number,
        installerId: company.installerId,
        key,
        owner: { email: staff.find(({ role }) => role === 'owner')!.email, password },
        // Everybody of a company signs in with its owner's password.
        members: staff.map(({ email, role }) => ({ email, role })),
      }
    }),
  )
}

/**
 * Each tenant's steps one after the other, the tenants side by side: one is rendered here while the
 * database works for another. All groups have ended when this ends, also where one fails, so that
 * nothing is asked of the connection after its transaction.
 */
async function runByGroup<T>(items: T[], groupOf: (item: T) => string, run: (item: T) => Promise<void>) {
  const groups = Object.values(Object.groupBy(items, groupOf)) as T[][]
  const results = await Promise.allSettled(
    groups.map(async (group) => {
      for (const item of group) await run(item)
    }),
  )
  const failure = results.find((result) => result.status === 'rejected')
  if (failure) throw failure.reason
}

async function makeCompany(
  db: Database,
  plan: Plan,
  index: number,
  made: readonly CreatedCompany[],
): Promise<CreatedCompany> {
  const { name, timezone, installer } = demoPlans[index]!
  const { createdAt, staff } = plan.companies[index]!
  const now = new Date(createdAt)
  const company = await createCompany(db, now, {
    name,
    timezone,
    installer: installer === null ? undefined : made[installer]!.company.id,
  })
  const common = {
    installerId: company.installerId,
    companyId: company.id,
    companyKind: company.kind,
    canWrite: true,
  }
  const actors = new Map<string, Actor>()
  for (const member of staff) {
    const { id } = await addMember(db, now, { company: company.id, ...member })
    actors.set(member.email, { kind: 'member', id, name: member.name, role: member.role, ...common })
  }
  const { key, secret } = await createKey(db, now, { company: company.id, name: 'Demo key' })
  actors.set('', { kind: 'key', id: key.id, name: key.name, ...common })
  if (company.kind === 'installer') await createCatalogue(db, company.id, index)
  if (index === 0) await writeMessages(db, now, company.id)
  return { company, key: secret, actors }
}

async function createCatalogue(db: Database, installerId: string, index: number): Promise<void> {
  for (const [position, item] of addersOf(index).entries()) {
    const { unitPriceCents, tiers, active, ...adder } = item
    await insertAdder(db, installerId, position, { id: newId('adder'), ...adder, ...pricesOf(item) }, active)
  }
  for (const [position, { active, ...item }] of equipmentOf(index).entries()) {
    await insertEquipment(db, installerId, position, { id: newId('equip'), ...item }, active)
  }
}

async function writeMessages(db: Database, now: Date, installerId: string): Promise<void> {
  const { stages } = await loadDirectory(db, installerId)
  for (const stage of stages.values()) {
    const message = stage.productLine === 'solar' ? customerMessages[stage.name] : undefined
    if (message) await patchStage(db, now, installerId, stage.id, { messages: [message] })
  }
}
