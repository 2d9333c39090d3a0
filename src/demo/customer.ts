import type { NewLead } from '../domain/deals/leads/prepare-lead.ts'
import type { ProductLine } from '../domain/kernel/tenant/stage.ts'
import type { DemoPlan } from './companies.ts'
import { dollars } from './money.ts'
import { drawPerson, drawPhone, mailOf, type Staff } from './people.ts'
import { streets } from './places.ts'
import type { Random } from './random.ts'

const sources = [
  { name: 'Website', subSource: 'Quote form' },
  { name: 'Website', subSource: 'Savings calculator' },
  { name: 'Referral', subSource: 'Customer' },
  { name: 'Referral', subSource: 'Employee' },
  { name: 'Door to door', subSource: null },
  { name: 'Home show', subSource: 'Spring fair' },
  { name: 'Social media', subSource: 'Video ad' },
  { name: 'Call center', subSource: null },
] as const

const mailDomains = ['example.com', 'example.org', 'example.net']

export const notes: Record<ProductLine, readonly string[]> = {
  solar: [
    'Call after 5 pm. Dog in the yard, ring first.',
    'Roof was replaced six years ago. Wants to see the layout before the permit goes in.',
    'Interested in a battery: the power went out three times last winter.',
    'Plans to buy an electric car next year, wants room for it.',
    'Two large oaks to the south; shading has to be checked.',
    'HOA needs a drawing of the array before approval.',
    'Main panel is full. Asked what an upgrade costs.',
    'Compares us with one other offer. Price per watt matters most.',
  ],
  hi: [
    'Leak above the kitchen, wants the roof done before the rain.',
    'Windows on the west side first, the rest next year.',
    'Gas furnace is 22 years old. Asked about rebates for a heat pump.',
    'Prefers mornings. The gate code is on file.',
    'Has a sample of the siding color, wants it matched.',
    'Asked for the crew to cover the rose beds.',
  ],
}

/** Who has the house, where it stands, and how they came to us. */
export function drawCustomer(
  random: Random,
  plan: DemoPlan,
  staff: readonly Staff[],
  productLine: ProductLine,
  nth: number,
): NewLead {
  const person = drawPerson(random)
  const place = random.pick(plan.places)
  const rep = random.pick(staff.filter(({ role }) => role === 'rep'))
  const setter = random.pick(staff.filter(({ role }) => role === 'setter'))
  const partner = drawPerson(random)
  const hasCoBorrower = random.chance(0.3)
  return {
    productLine,
    ...person,
    email: random.chance(0.92) ? mailOf(person, random.pick(mailDomains)) : null,
    phone: random.chance(0.95) ? drawPhone(random, plan.areaCode) : null,
    address: {
      line1: `${random.whole(101, 9_899)} ${random.pick(streets)}`,
      line2: random.chance(0.08) ? `Unit ${random.whole(1, 24)}` : null,
      city: place.city,
      state: place.state,
      postalCode: random.pick(place.postalCodes),
      country: 'US',
    },
    coBorrower: hasCoBorrower
      ? {
          firstName: partner.firstName,
          lastName: person.lastName,
          email: mailOf({ ...partner, lastName: person.lastName }, random.pick(mailDomains)),
          phone: random.chance(0.5) ? drawPhone(random, plan.areaCode) : null,
        }
      : null,
    utility:
      productLine === 'solar' || random.chance(0.3)
        ? { name: place.utility, monthlyBill: dollars(random.whole(8_500, 48_000)) }
        : { name: null, monthlyBill: null },
    source: random.pick(sources),
    salesRepEmail: random.chance(0.9) ? rep.email : null,
    setterEmail: random.chance(0.6) ? setter.email : null,
    notes: random.chance(0.5) ? random.pick(notes[productLine]) : null,
    externalId: random.chance(0.25) ? `crm-${plan.areaCode}-${1_000 + nth}` : null,
    reference: random.chance(0.3) ? random.reference() : null,
  }
}
