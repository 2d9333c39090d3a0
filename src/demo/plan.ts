import { leadStatuses } from '../domain/deals/leads/lead.ts'
import { productLines } from '../domain/kernel/tenant/stage.ts'
import { defaultLadders } from '../domain/tenants/ladders/default-ladders.ts'
import { createCalendar } from './calendar.ts'
import { demoPlans } from './companies.ts'
import { type DealInput, planLead, planProject } from './deal.ts'
import { type Staff, staffOf } from './people.ts'
import { planInstallations } from './plan-installations.ts'
import { createRandom } from './random.ts'
import type { DemoFile, Step } from './step.ts'

export interface Plan {
  today: Date
  companies: { createdAt: number; staff: Staff[] }[]
  /** In the order of time, which a tenant's clock keeps. */
  steps: Step[]
}

// The longest ladder, the time before the sale and the oldest completion fit into a year.
const [installerAgeDays, dealerAgeDays] = [430, 400]

/** Everything that happened, told from today backwards. */
export function planDemo(now: Date): Plan {
  const random = createRandom('companies')
  const companies = demoPlans.map((plan) => ({
    createdAt: createCalendar(now, plan.timezone).at(
      plan.installer === null ? installerAgeDays : dealerAgeDays,
      random,
    ),
    staff: staffOf(plan),
  }))
  const steps = demoPlans.flatMap((_, company) =>
    planCompany(
      now,
      company,
      companies.map(({ staff }) => staff),
    ),
  )
  const installations = demoPlans.flatMap((plan, company) =>
    plan.installer === null
      ? planInstallations(company, companies[company]!.createdAt, createCalendar(now, plan.timezone), random)
      : [],
  )
  return { today: now, companies, steps: [...steps, ...installations].sort((a, b) => a.at - b.at) }
}

function planCompany(now: Date, company: number, staffs: Staff[][]): Step[] {
  const plan = demoPlans[company]!
  const common = {
    calendar: createCalendar(now, plan.timezone),
    company,
    staff: staffs[company]!,
    installerStaff: staffs[plan.installer ?? company]!,
  }
  let nth = 0
  const deal = (productLine: DealInput['productLine']): DealInput => ({ ...common, productLine, nth: nth++ })
  const projects = productLines.flatMap((productLine) =>
    defaultLadders[productLine].flatMap((_, stage) =>
      Array.from({ length: plan.perStage[productLine] }, () => planProject(deal(productLine), stage)),
    ),
  )
  const leads = leadStatuses
    .filter((status) => status !== 'sold')
    .flatMap((status) =>
      Array.from({ length: plan.perStatus }, (_, i) => planLead(deal(i % 3 === 1 ? 'hi' : 'solar'), status)),
    )
  return [...projects, ...leads].flat()
}

export function filesOf({ steps }: Plan): DemoFile[] {
  return steps.flatMap((step) => (step.do === 'addFiles' ? step.files : []))
}
