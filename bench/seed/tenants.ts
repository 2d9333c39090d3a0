import type { Directory } from '../../src/domain/kernel/tenant/directory.ts'
import type { Role } from '../../src/domain/kernel/tenant/member.ts'
import { loadDirectory } from '../../src/domain/kernel/tenant/queries.ts'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { createKey } from '../../src/domain/tenants/keys/create-key.ts'
import { addMember } from '../../src/domain/tenants/members/add-member.ts'
import type { Database } from '../../src/platform/db.ts'

export interface Tenant {
  directory: Directory
  /** The installer's and a dealer's company. */
  companyIds: string[]
  key: string
}

export const staff: [Role, string][] = [
  ['owner', 'Olivia Grant'],
  ['rep', 'Rashid Karimi'],
  ['rep', 'Renée Dubois'],
  ['rep', 'Ramon Ortega'],
  ['setter', 'Selma Lind'],
  ['manager', 'Marcus Webb'],
  ['surveyor', 'Sven Aalto'],
  ['subcontractor', 'Sunrise Roofing Crew'],
]

/** An installer with a dealer, members in every slot and a key, made as an operator makes them. */
export async function createTenant(db: Database, now: Date, name: string): Promise<Tenant> {
  const installer = await createCompany(db, now, { name })
  const dealer = await createCompany(db, now, { name: `${name} West`, installer: installer.id })
  for (const [i, [role, person]] of staff.entries()) {
    await addMember(db, now, {
      company: installer.id,
      email: `${role}.${i}@${installer.number}.example.com`,
      name: person,
      phone: `+1 619 555 01${String(i).padStart(2, '0')}`,
      role,
    })
  }
  const { secret } = await createKey(db, now, { company: installer.id, name: 'bench' })
  return {
    directory: await loadDirectory(db, installer.id),
    companyIds: [installer.id, dealer.id],
    key: secret,
  }
}
