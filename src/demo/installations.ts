import type { PlanInput } from '../domain/billing/plans/set-plan.ts'
import type { Fault, SolarLocation } from './sunshine.ts'

/** An installation that is watched, with what goes wrong on it and how its customer pays. */
export interface DemoInstallation extends SolarLocation {
  address: string
  region: string
  panelKw: number
  faults: readonly Fault[]
  plan: Pick<PlanInput, 'kind' | 'rate' | 'escalatorPercent'> | null
  customer: string
}

export const panelsEach = 6
/** Thirteen months and a little, so that every one of them is whole. */
export const historyDays = 401

const dead = (panel: number, fromDaysAgo: number, toDaysAgo = 0): Fault => ({
  panel,
  fromDaysAgo,
  toDaysAgo,
  share: 0,
})
const weak = (panel: number, share: number, fromDaysAgo: number, toDaysAgo = 0): Fault => ({
  panel,
  fromDaysAgo,
  toDaysAgo,
  share,
})
/** A sensor that sends Wh as kWh: what no panel can make, so it is kept aside. */
const inWattHours = (panel: number, fromDaysAgo: number): Fault => ({
  panel,
  fromDaysAgo,
  toDaysAgo: 0,
  share: 1000,
})
const silent = (panel: number, fromDaysAgo: number, toDaysAgo = 0): Fault => ({
  panel,
  fromDaysAgo,
  toDaysAgo,
  share: null,
})
const all = (fault: (panel: number) => Fault) => Array.from({ length: panelsEach }, (_, i) => fault(i))

const west = { region: 'US-CA', latitude: 33, longitude: -117.1, cloudiness: 0.12, panelKw: 0.41 }
const mountain = { region: 'US-CO', latitude: 39.7, longitude: -105, cloudiness: 0.2, panelKw: 0.44 }

/** Each installer's installations, by where it stands in the list of companies. */
export const demoInstallations: Record<number, readonly DemoInstallation[]> = {
  0: [
    {
      ...west,
      name: 'Mission Bay Library',
      address: '2950 Bayview Dr, San Diego, CA 92103',
      faults: [dead(2, 4), weak(4, 0.55, 12)],
      plan: { kind: 'ppa', rate: '0.1420', escalatorPercent: '2.9' },
      customer: 'City of San Diego, Libraries',
    },
    {
      ...west,
      name: 'Otay Ranch Cold Storage',
      address: '880 Citrus Grove Ave, Chula Vista, CA 91913',
      faults: [silent(1, 2.5), weak(3, 0.78, 9)],
      plan: { kind: 'ppa', rate: '0.1285', escalatorPercent: '1.9' },
      customer: 'Otay Ranch Foods',
    },
    {
      ...west,
      name: 'Vineyard Tasting Room',
      address: '41 Old Mill Rd, Temecula, CA 92592',
      faults: [...all((panel) => dead(panel, 61, 57)), ...all((panel) => dead(panel, 3))],
      plan: { kind: 'lease', rate: '389.00', escalatorPercent: '2.0' },
      customer: 'Old Mill Vineyards',
    },
    {
      ...west,
      name: 'Oceanside Surf Club',
      address: '17 Sunrise Ter, Oceanside, CA 92054',
      faults: [weak(5, 0.5, 95, 75), inWattHours(1, 2)],
      plan: null,
      customer: 'Oceanside Surf Club',
    },
  ],
  3: [
    {
      ...mountain,
      name: 'Foothills Brewing',
      address: '520 Stagecoach Rd, Fort Collins, CO 80524',
      faults: [dead(0, 5), weak(2, 0.73, 28)],
      plan: { kind: 'ppa', rate: '0.1130', escalatorPercent: '2.5' },
      customer: 'Foothills Brewing Company',
    },
    {
      ...mountain,
      name: 'Castle Rock Fire Station 3',
      address: '9 Ridgeline Dr, Castle Rock, CO 80104',
      faults: [silent(3, 2.5), weak(1, 0.5, 95, 75)],
      plan: { kind: 'lease', rate: '412.50', escalatorPercent: '1.5' },
      customer: 'Town of Castle Rock',
    },
    {
      ...mountain,
      name: 'Parker Community Garden',
      address: '230 Meadowlark Dr, Parker, CO 80134',
      faults: [...all((panel) => dead(panel, 4))],
      plan: { kind: 'ppa', rate: '0.1195', escalatorPercent: '2.0' },
      customer: 'Parker Parks and Recreation',
    },
    {
      ...mountain,
      name: 'Aurora Senior Center',
      address: '75 Hawthorne St, Aurora, CO 80012',
      faults: [weak(4, 0.58, 10), inWattHours(0, 2)],
      plan: null,
      customer: 'Aurora Senior Center',
    },
  ],
}

/** When findings were made, in days before today: while earlier faults lasted, after they were mended, and now. */
export const findingDaysAgo = [86, 58, 50, 0]

/** How the invoices of a month ended, the oldest month first; by turns where there are several. */
export const endings = [
  ['paid'],
  ['paid', 'void', 'paid'],
  ['paid', 'open', 'open'],
  ['open', 'draft', 'draft'],
] as const
export type Ending = (typeof endings)[number][number]

/** Plans begin with the first month that was billed, so that nothing is left to bill. */
export function firstBilled(today: Date): string {
  const month = Temporal.PlainDate.from(today.toISOString().slice(0, 10)).with({ day: 1 })
  return month.subtract({ months: endings.length }).toString()
}
