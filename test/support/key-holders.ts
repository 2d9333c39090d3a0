import assert from 'node:assert/strict'
import { eraseCustomer } from '../../src/domain/operations/privacy/erase-customer.ts'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { updateCompany } from '../../src/domain/tenants/companies/update-company.ts'
import { createKey } from '../../src/domain/tenants/keys/create-key.ts'
import type { App } from './app.ts'
import { type Actors, keyFor, type World } from './factories.ts'

const nobody = 'psk_0000000000000000000000000000000000000000'

/** Keys that may less than the installer's, or nothing: what each is answered belongs to every endpoint. */
export async function lesserKeys(world: World) {
  const { db, installer } = world
  const now = new Date()
  const { id } = await createCompany(db, now, { name: 'Gone Sales', installer: installer.company.id })
  const { secret: suspended } = await createKey(db, now, { company: id, name: 'Gone CRM' })
  await updateCompany(db, now, id, { status: 'suspended' })
  return {
    nobody,
    suspended,
    readOnly: (await keyFor(world, installer, { access: 'read' })).secret,
    catalogOnly: (await keyFor(world, installer, { interfaces: ['catalog'] })).secret,
  }
}

export type Refusal = [who: string, key: string, method: string, path: string, body: unknown, status: number]

/** Calls as each of them, and holds the statuses. */
export async function assertStatuses(app: App, rows: readonly Refusal[]): Promise<void> {
  for (const [who, key, method, path, body, status] of rows) {
    const answer = await app.call(method, path, { key, ...(body === undefined ? {} : { body }) })
    assert.equal(answer.status, status, `${who}: ${method} ${path} ${answer.text}`)
  }
}

/** Erases a lead's customer. */
export async function erase(app: App, of: Actors, leadId: string): Promise<void> {
  const { store } = app.server.deps.copying
  await eraseCustomer(of.as(), { store, note: async () => {} }, leadId)
}
