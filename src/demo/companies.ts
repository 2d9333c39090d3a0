import type { Place } from './places.ts'
import { california, colorado } from './places.ts'

/** A company to make, and how much it has sold. */
export interface DemoPlan {
  name: string
  /** Of its members' mail. */
  domain: string
  timezone: string
  places: readonly Place[]
  /** Where in the list the installer of a dealer stands; null for an installer. */
  installer: number | null
  /** Projects in each stage of the ladders; every company has one in each at least. */
  perStage: { solar: number; hi: number }
  /** Leads of each status but sold. */
  perStatus: number
  reps: number
  areaCode: string
}

const west = { timezone: 'America/Los_Angeles', places: california }
const mountain = { timezone: 'America/Denver', places: colorado }
const dealer = { perStage: { solar: 1, hi: 1 }, perStatus: 2, reps: 3 }

/** In the order of demo.json. */
export const demoPlans: readonly DemoPlan[] = [
  {
    name: 'Brightridge Solar & Home',
    domain: 'brightridge.example.com',
    installer: null,
    perStage: { solar: 2, hi: 2 },
    perStatus: 5,
    reps: 5,
    areaCode: '619',
    ...west,
  },
  {
    name: 'Coastline Energy Advisors',
    domain: 'coastline.example.com',
    installer: 0,
    areaCode: '760',
    ...dealer,
    ...west,
  },
  {
    name: 'Sierra Home Partners',
    domain: 'sierrahome.example.com',
    installer: 0,
    areaCode: '951',
    ...dealer,
    ...west,
  },
  {
    name: 'High Plains Power',
    domain: 'highplains.example.net',
    installer: null,
    perStage: { solar: 1, hi: 2 },
    perStatus: 3,
    reps: 4,
    areaCode: '303',
    ...mountain,
  },
  {
    name: 'Front Range Exteriors',
    domain: 'frontrange.example.net',
    installer: 3,
    areaCode: '720',
    ...dealer,
    ...mountain,
  },
]
