import { ladderOf } from '../../src/domain/kernel/tenant/directory.ts'
import { loadDirectory } from '../../src/domain/kernel/tenant/queries.ts'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { createKey } from '../../src/domain/tenants/keys/create-key.ts'
import { addMember } from '../../src/domain/tenants/members/add-member.ts'
import { givePassword } from '../../src/domain/tenants/people/set-password.ts'
import type { Database } from '../../src/platform/db.ts'
import { createTenant } from '../seed/tenants.ts'

/** Who reads: each sees another part of the tenant. */
export type Reader = 'owner' | 'rep' | 'newRep' | 'dealer' | 'newDealer'

/** The tenant that grows. What is rare in it stays as rare, and is as old as anything: there the most is passed over. */
export interface GrowthTenant {
  installerId: string
  installerNumber: number
  /** When its first record was made. One comes every second, so it grows older and not busier. */
  beganAt: Date
  /** With a fifth of everything. */
  dealerId: string
  dealerNumber: number
  /** With twenty of everything. */
  newDealerId: string
  keys: { installer: string; dealer: string; newDealer: string }
  memberIds: Record<'owner' | 'setter' | 'manager' | 'surveyor' | 'subcontractor' | 'newRep', string>
  repIds: string[]
  /** By product line, in order. */
  stageIds: { solar: string[]; hi: string[] }
  people: Record<Reader, { email: string }>
}

const newRep = 'Nadia Newman'
export const password = 'grown for the bench'

/** A tenant with a dealer of many records, one of few, and a rep of few. */
export async function createGrowthTenant(db: Database, name = 'Installer that grows'): Promise<GrowthTenant> {
  const now = new Date()
  const { directory: first, companyIds, key } = await createTenant(db, now, name)
  const { installerId } = first
  const [, dealerId] = companyIds as [string, string]
  const newDealer = await createCompany(db, now, { name: `${name} East`, installer: installerId })
  const add = (company: string, role: 'owner' | 'rep', person: string, email: string) =>
    addMember(db, now, { company, role, name: person, email })
  const unique = installerId.slice(-8)
  await add(installerId, 'rep', newRep, `new.rep@${unique}.example.com`)
  await add(dealerId, 'owner', 'Dora West', `dora@${unique}.example.com`)
  await add(newDealer.id, 'owner', 'Dan East', `dan@${unique}.example.com`)
  const directory = await loadDirectory(db, installerId)
  const members = [...directory.members.values()]
  const named = (name: string) => members.find((one) => one.name === name)!
  const byRole = (role: string) => members.find((one) => one.role === role)!
  const people = {
    owner: byRole('owner'),
    rep: members.find(({ role, name }) => role === 'rep' && name !== newRep)!,
    newRep: named(newRep),
    dealer: named('Dora West'),
    newDealer: named('Dan East'),
  }
  for (const person of Object.values(people))
    await givePassword(db, now, [{ ...person, installerId }], password)
  const seen = new Set([people.rep.id, people.newRep.id])
  const keyOf = async (company: string) => (await createKey(db, now, { company, name: 'growth' })).secret
  const idOf = (role: string) => byRole(role).id
  const numberOf = async (id: string) => {
    const [row] = await db.query<{ number: number }>({ text: 'select number from companies where id = $1' }, [
      id,
    ])
    return row!.number
  }
  const idsOf = (line: 'solar' | 'hi') => ladderOf(directory, line).map(({ id }) => id)
  return {
    installerId,
    installerNumber: await numberOf(installerId),
    beganAt: new Date(now.getTime() - 40 * 86_400_000),
    dealerId,
    dealerNumber: await numberOf(dealerId),
    newDealerId: newDealer.id,
    keys: { installer: key, dealer: await keyOf(dealerId), newDealer: await keyOf(newDealer.id) },
    memberIds: {
      owner: idOf('owner'),
      setter: idOf('setter'),
      manager: idOf('manager'),
      surveyor: idOf('surveyor'),
      subcontractor: idOf('subcontractor'),
      newRep: people.newRep.id,
    },
    repIds: [
      people.rep.id,
      ...members.filter(({ role, id }) => role === 'rep' && !seen.has(id)).map(({ id }) => id),
    ],
    stageIds: { solar: idsOf('solar'), hi: idsOf('hi') },
    people,
  }
}
