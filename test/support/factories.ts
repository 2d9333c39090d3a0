import type { Adder } from '../../src/domain/catalogue/adder.ts'
import type { Equipment } from '../../src/domain/catalogue/equipment.ts'
import { insertAdder, insertEquipment } from '../../src/domain/catalogue/queries.ts'
import { createLead } from '../../src/domain/deals/leads/create-lead.ts'
import type { NewLead } from '../../src/domain/deals/leads/prepare-lead.ts'
import type { System } from '../../src/domain/deals/projects/project.ts'
import type { Sale } from '../../src/domain/deals/sale/sell-lead.ts'
import { sellLead } from '../../src/domain/deals/sale/sell-lead.ts'
import type { Context } from '../../src/domain/kernel/context.ts'
import type { Company } from '../../src/domain/kernel/tenant/company.ts'
import { createDirectories } from '../../src/domain/kernel/tenant/directories.ts'
import type { Member, Role } from '../../src/domain/kernel/tenant/member.ts'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { createKey, type NewKey } from '../../src/domain/tenants/keys/create-key.ts'
import { addMember } from '../../src/domain/tenants/members/add-member.ts'
import type { Database } from '../../src/platform/db.ts'
import { newId } from '../../src/platform/ids.ts'

export const address = {
  line1: '1 Market St',
  line2: 'Unit 4',
  city: 'San Diego',
  state: 'CA',
  postalCode: '92101',
  country: 'US',
}

/** What `POST /v1/leads` takes at least. */
export const leadBody = {
  firstName: 'Ada',
  lastName: 'Moreno',
  address: { line1: '1 Market St', city: 'San Diego', state: 'CA', postalCode: '92101' },
}

export const system: System = {
  sizeKw: '8.4',
  annualProductionKwh: '12650.5',
  panels: { count: 21, manufacturer: 'Qcells', model: 'Q.TRON 400' },
  inverters: { count: 21, manufacturer: 'Enphase', model: 'IQ8+', name: 'IQ8 Plus', microinverter: true },
  batteries: { count: 2, manufacturer: 'Tesla', model: 'Powerwall 3', capacityKwh: '13.5' },
  pricePerWatt: { base: '2.95', final: '3.42' },
  adders: [
    { name: 'Main panel upgrade', quantity: 1, total: '2500.00' },
    { name: 'Trenching', quantity: 12.5, total: null },
  ],
}

const cash: Sale['financing'] = {
  type: 'cash',
  lender: null,
  amount: null,
  aprPercent: null,
  termMonths: null,
  monthlyPayment: null,
  dealerFeePercent: null,
}

export const solarSale: Sale = {
  contractSignedAt: new Date('2026-01-10T18:30:00.000Z'),
  contractPrice: '28728.50',
  financing: cash,
  system,
  products: null,
}

export const hiSale: Sale = {
  contractSignedAt: new Date('2026-02-11T10:00:00.000Z'),
  contractPrice: '18900.00',
  financing: cash,
  system: null,
  products: [
    { name: 'Roof', price: '15000.00' },
    { name: 'Gutters', price: null },
  ],
}

export interface Actors {
  company: Company
  /** The secret of a key with full access. */
  key: string
  as: (now?: Date) => Context
}

export type World = Awaited<ReturnType<typeof createWorld>>

/** Two installers, two dealers of the first and one of the second, each with a key. */
export async function createWorld(db: Database) {
  const directories = createDirectories()
  const actors = async (name: string, installer?: Company): Promise<Actors> => {
    const company = await createCompany(db, new Date(), {
      name,
      ...(installer ? { installer: installer.id } : { timezone: 'America/Denver' }),
    })
    const { secret } = await createKey(db, new Date(), { company: company.id, name: `${name} CRM` })
    const as = (now = new Date()): Context => ({
      db,
      directories,
      now,
      actor: {
        kind: 'member',
        id: null,
        name: `${name} console`,
        installerId: company.installerId,
        companyId: company.id,
        companyKind: company.kind,
        canWrite: true,
      },
    })
    return { company, key: secret, as }
  }
  const installer = await actors('Sunrise Solar')
  const dealer = await actors('Bright Doors', installer.company)
  const sister = await actors('Sister Sales', installer.company)
  const other = await actors('Other Power')
  const otherDealer = await actors('Other Doors', other.company)
  return { db, installer, dealer, sister, other, otherDealer }
}

export function keyFor(
  world: World,
  of: Actors,
  more: Partial<NewKey> = {},
): Promise<{ secret: string; key: { id: string } }> {
  return createKey(world.db, new Date(), { company: of.company.id, name: 'Another', ...more })
}

export function member(world: World, of: Actors, name: string, role: Role = 'rep'): Promise<Member> {
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@${of.company.number}.example.com`
  return addMember(world.db, new Date(), {
    company: of.company.id,
    email,
    name,
    phone: '+1 619 555 0188',
    role,
  })
}

let made = 0

export async function lead(of: Actors, more: Partial<NewLead> = {}): Promise<string> {
  const { leadId } = await createLead(of.as(), {
    firstName: `First${++made}`,
    lastName: 'Last',
    address,
    ...more,
  })
  return leadId
}

/** Both ids of a sold lead. */
export async function project(
  of: Actors,
  more: Partial<NewLead> = {},
  sale: Partial<Sale> = {},
): Promise<{ leadId: string; projectId: string }> {
  const leadId = await lead(of, more)
  const { projectId } = await sellLead(of.as(), leadId, {
    ...(more.productLine === 'hi' ? hiSale : solarSale),
    ...sale,
  })
  return { leadId, projectId }
}

export async function adder(of: Actors, position: number, more: Partial<Adder> = {}, active = true) {
  const made: Adder = {
    id: newId('addr'),
    name: 'Critter guard',
    description: null,
    productLine: 'solar',
    productKind: null,
    unit: 'perPanel',
    unitPrice: '35.00',
    tiered: false,
    tiers: [],
    repSponsored: false,
    showOnProposal: true,
    brand: null,
    model: null,
    warrantyYears: null,
    ...more,
  }
  await insertAdder(of.as().db, of.company.id, position, made, active)
  return made
}

export async function equipment(of: Actors, position: number, item: NewEquipment, active = true) {
  const made = { id: newId('eqp'), ...item } as Equipment
  await insertEquipment(of.as().db, of.company.id, position, made, active)
  return made
}

type NewEquipment = Equipment extends infer E ? (E extends Equipment ? Omit<E, 'id'> : never) : never
