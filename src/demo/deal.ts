import type { LeadStatus } from '../domain/deals/leads/lead.ts'
import type { NewLead } from '../domain/deals/leads/prepare-lead.ts'
import type { Folder } from '../domain/kernel/folder.ts'
import type { ProductLine } from '../domain/kernel/tenant/stage.ts'
import { defaultLadders } from '../domain/tenants/ladders/default-ladders.ts'
import type { Calendar } from './calendar.ts'
import { type DemoPlan, demoPlans } from './companies.ts'
import { drawCustomer, notes } from './customer.ts'
import { drawPerson, drawPhone, type Staff } from './people.ts'
import { projectFiles } from './project-files.ts'
import { createRandom, type Random } from './random.ts'
import { drawSale } from './sale.ts'
import type { Doing, Step } from './step.ts'

/** What a deal is planned from. */
export interface DealInput {
  calendar: Calendar
  /** Where in the list its company stands. */
  company: number
  staff: readonly Staff[]
  installerStaff: readonly Staff[]
  productLine: ProductLine
  /** Its number in the company. */
  nth: number
}

/** Steps are put one after the other; each comes after the one before. */
function createSteps({ calendar, company, nth }: DealInput, random: Random) {
  const deal = `${demoPlans[company]!.domain.split('.')[0]}-${nth}`
  const steps: Step[] = []
  const add = (ageDays: number, actor: { company: number; by: string | null }, doing: Doing) => {
    const at = calendar.at(ageDays, random, steps.at(-1)?.at)
    steps.push({ at, deal, ...actor, ...doing })
  }
  return { deal, steps, add }
}

/** A lead that was not sold: how it came, and sometimes what was learnt later. */
export function planLead(input: DealInput, status: Exclude<LeadStatus, 'sold'>): Step[] {
  const { company, staff, productLine, nth } = input
  const plan = demoPlans[company]!
  const random = createRandom(`${plan.name}/lead/${nth}`)
  const { steps, add } = createSteps(input, random)
  const age = status === 'new' ? random.whole(0, 6) : random.whole(2, 150)
  const lead = { ...drawCustomer(random, plan, staff, productLine, nth), status }
  const rep = { company, by: lead.salesRepEmail ?? null }
  add(age, random.chance(0.4) ? { company, by: null } : rep, { do: 'create', lead })
  if (status !== 'new' && random.chance(0.5)) {
    add(random.whole(0, age), rep, { do: 'updateLead', patch: learnt(random, plan, lead) })
  }
  return steps
}

function learnt(random: Random, plan: DemoPlan, lead: NewLead) {
  const partner = drawPerson(random)
  const news = notes[lead.productLine ?? 'solar'].filter((note) => note !== lead.notes)
  return random.pick([
    { notes: random.pick(news) },
    { notes: random.pick(news), phone: drawPhone(random, plan.areaCode) },
    { coBorrower: { firstName: partner.firstName, lastName: lead.lastName } },
  ])
}

/** A project that has come as far as the `reached`th stage of its ladder. */
export function planProject(input: DealInput, reached: number): Step[] {
  const { calendar, company, staff, installerStaff, productLine, nth } = input
  const plan = demoPlans[company]!
  const installer = plan.installer ?? company
  const random = createRandom(`${plan.name}/project/${nth}`)
  const { deal, steps, add } = createSteps(input, random)
  const ladder = defaultLadders[productLine]
  const ages = agesOf(random, productLine, reached)
  const soldAge = ages[0]!

  const lead: NewLead = {
    ...drawCustomer(random, plan, staff, productLine, nth),
    status: random.pick(['contacted', 'appointmentSet', 'proposalSent']),
  }
  const sale = drawSale(random, installer, productLine, nth)
  const files = projectFiles(deal, nth, lead, sale)
  const one = (role: Staff['role']) => random.pick(installerStaff.filter((m) => m.role === role)).email
  const projectManager = one('manager')
  const siteSurveyor = reached > 0 ? one('surveyor') : null
  const subcontractor = reached > 3 ? one('subcontractor') : null

  const seller = { company, by: lead.salesRepEmail ?? null }
  const manager = { company: installer, by: projectManager }
  const key = { company: installer, by: null }
  add(soldAge + random.whole(4, 40), random.chance(0.3) ? { company, by: null } : seller, {
    do: 'create',
    lead,
  })
  if (random.chance(0.35)) {
    add(soldAge + random.whole(1, 3), seller, { do: 'updateLead', patch: learnt(random, plan, lead) })
  }
  add(soldAge, seller, {
    do: 'sell',
    sale,
    reference: random.chance(0.4) ? random.reference() : null,
    notes: random.chance(0.4) ? random.pick(projectNotes) : null,
    projectManager,
    siteSurveyor,
    subcontractor,
  })

  const addFiles = (age: number, folder: Folder, by: string | null, share: number) => {
    if (!random.chance(share)) return
    add(age, { company: installer, by }, { do: 'addFiles', folder, files: files[folder] })
  }
  addFiles(soldAge, 'contract', projectManager, 0.92)
  if (productLine === 'solar') addFiles(soldAge, 'utilityBill', projectManager, 0.45)
  addFiles(soldAge, 'identification', projectManager, 0.12)
  addFiles(soldAge, 'homeInsurance', projectManager, 0.1)

  for (const [i, { name }] of ladder.slice(1, reached + 1).entries()) {
    const stage = i + 1
    const age = ages[stage]!
    if (name === 'Design' || name === 'Ordered') addFiles(age, 'siteSurvey', siteSurveyor, 0.5)
    if (name === 'Permitting') addFiles(age, 'planset', projectManager, 0.35)
    if (name === 'NTP') {
      addFiles(age, 'permit', projectManager, 0.25)
      addFiles(age, 'interconnection', projectManager, 0.25)
    }
    add(age, random.chance(0.2) ? key : manager, { do: 'move', stage: name })
    if ((name === 'Site Survey' || name === 'Measure') && reached - stage <= 2) {
      const done = ages[stage + 1]
      const surveyDate = calendar.day(done === undefined ? 1 + (nth % 9) : -done)
      add(age, manager, { do: 'updateProject', patch: { surveyDate } })
    }
    if (name === 'NTP' && stage === reached && random.chance(0.5)) {
      add(Math.floor(age / 2), key, { do: 'updateProject', patch: { ntpGranted: true } })
    }
    if (name === 'Install Scheduled' || name === 'Scheduled') {
      const built = ages[stage + 1]
      const installDate = calendar.day(built === undefined ? random.whole(2, 21) : -built)
      const ntp = productLine === 'solar' ? { ntpGranted: true } : {}
      add(age, manager, { do: 'updateProject', patch: { installDate, ...ntp } })
      addFiles(age, 'material', projectManager, 0.2)
    }
    if (name === 'Installed' || name === 'Punch List') addFiles(age, 'installationPhoto', subcontractor, 0.55)
    if (name === 'Inspection' || name === 'In Progress') addFiles(age, 'other', projectManager, 0.2)
  }
  addFiles(Math.floor(ages[reached]! / 2), 'internal', projectManager, 0.12)
  return steps
}

const projectNotes = [
  'Array on the south and west faces. Leave the chimney side free.',
  'Customer works nights: no hammering before 10 am.',
  'Street parking only; the crew needs a permit for the truck.',
  'Second storey, lift needed.',
  'Detached garage is part of the work.',
]

/** How many days ago each stage was entered, the latest last. */
function agesOf(random: Random, productLine: ProductLine, reached: number): number[] {
  const ladder = defaultLadders[productLine]
  const allowed = ladder[reached]!.daysAllowed
  const ages = [allowed === undefined ? random.whole(1, 180) : random.whole(0, allowed + 2)]
  for (let stage = reached - 1; stage >= 0; stage--) {
    ages.unshift(ages[0]! + random.whole(1, ladder[stage]!.daysAllowed ?? 7))
  }
  return ages
}
