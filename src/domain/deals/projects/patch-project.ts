import { Big } from 'big.js'
import { dayIn, dayInWords } from '../../kernel/days.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import type { Decimal } from '../../kernel/money.ts'
import { moneyInWords, numberInWords } from '../../kernel/money.ts'
import { type Directory, installerOf } from '../../kernel/tenant/directory.ts'
import type { MilestoneKey } from '../../kernel/tenant/stage.ts'
import type { NewActivity } from '../activities/activity.ts'
import type { Effects } from '../changes/change.ts'
import type { Financing, Project } from './project.ts'

/** These milestones are days that more hangs on: each has a field of its own. */
type DayElsewhere = 'installScheduled' | 'siteSurveyScheduled' | 'contractSigned'
export type FreeMilestone = Exclude<MilestoneKey, DayElsewhere>

/** Absent fields are kept; null clears what may be empty. */
export interface ProjectPatch {
  /** The day of the Install Scheduled milestone. */
  installDate?: string | null
  /** The day of the Site Survey Scheduled milestone. */
  surveyDate?: string | null
  ntpGranted?: boolean
  projectManagerId?: string | null
  siteSurveyorId?: string | null
  subcontractorId?: string | null
  /** Empty text clears them. */
  notes?: string
  milestones?: Partial<Record<FreeMilestone, string | null>>
  contractPrice?: Decimal | null
  contractSignedOn?: string | null
  financing?: Partial<Financing>
}

export interface Patched {
  project: Project
  /** Each field from what to what; empty where nothing is another than before. */
  changes: Record<string, [from: unknown, to: unknown]>
  effects: Pick<Effects, 'activities' | 'calendar'>
}

/** What a patch makes of a project, and what is to be said of it. */
export function patchProject(before: Project, patch: ProjectPatch, directory: Directory): Patched {
  const project = { ...before }
  const changes: Patched['changes'] = {}
  const activities: NewActivity[] = []
  const calendar: NonNullable<Effects['calendar']> = []
  const setMilestone = (key: MilestoneKey, day: string | null) => {
    const { [key]: _, ...others } = project.milestones
    project.milestones = day === null ? others : { ...others, [key]: day }
  }

  for (const { field, key, kind, type, what } of scheduled) {
    const [from, to] = [before.milestones[key] ?? null, patch[field]]
    if (to === undefined || to === from) continue
    setMilestone(key, to)
    changes[field] = [from, to]
    calendar.push({ kind, day: to })
    activities.push({
      type,
      body: to === null ? `${what} date cleared` : `${what} scheduled for ${dayInWords(to)}`,
    })
  }

  const { ntpGranted } = patch
  if (ntpGranted !== undefined && ntpGranted !== before.ntpGranted) {
    project.ntpGranted = ntpGranted
    changes['ntpGranted'] = [before.ntpGranted, ntpGranted]
    const body = ntpGranted ? 'Notice to proceed granted' : 'Notice to proceed withdrawn'
    activities.push({ type: 'ntpChanged', body })
  }

  for (const [field, what] of slots) {
    const to = patch[field]
    if (to === undefined || to === before[field]) continue
    project[field] = to
    changes[field] = [before[field], to]
    const body =
      to === null ? `Removed the ${what}` : `Assigned to ${requirePerson(directory, to, field)} (${what})`
    activities.push({ type: 'assigned', body })
  }

  const details: string[] = []
  let ofSale = false
  for (const [key, to] of Object.entries(patch.milestones ?? {}) as [FreeMilestone, string | null][]) {
    const from = before.milestones[key] ?? null
    if (to === from) continue
    setMilestone(key, to)
    changes[`milestones.${key}`] = [from, to]
    details.push(to === null ? `${inWords(key)} date cleared` : `${inWords(key)} on ${dayInWords(to)}`)
  }

  const { timezone } = installerOf(directory)
  const signed = before.contractSignedAt && dayIn(timezone, before.contractSignedAt)
  const signing = patch.contractSignedOn
  if (signing !== undefined && !isSigned(before, signing, directory)) {
    project.contractSignedAt = signing === null ? null : noonOf(signing, timezone)
    setMilestone('contractSigned', signing)
    changes['contractSignedOn'] = [signed, signing]
    details.push(signing === null ? 'contract date cleared' : `contract signed on ${dayInWords(signing)}`)
  }
  if (patch.contractPrice !== undefined && !isSame(patch.contractPrice, before.contractPrice)) {
    project.contractPrice = patch.contractPrice
    ofSale = true
    changes['contractPrice'] = [before.contractPrice, patch.contractPrice]
    details.push(
      `contract price from ${moneyOrNone(before.contractPrice)} to ${moneyOrNone(patch.contractPrice)}`,
    )
  }
  for (const [name, to] of Object.entries(patch.financing ?? {}) as [keyof Financing, string | null][]) {
    const from = before.financing[name] ?? null
    if (isSame(to, from)) continue
    project.financing = { ...project.financing, [name]: to }
    ofSale = true
    changes[`financing.${name}`] = [from, to]
    details.push(`${financingNames[name]} from ${financingValue(name, from)} to ${financingValue(name, to)}`)
  }
  if (details.length > 0)
    activities.push({
      type: 'leadUpdated',
      body: `Project changed: ${details.join('; ')}`,
      ...(ofSale ? { about: 'sale' } : {}),
    })

  const notes = patch.notes === undefined ? before.notes : patch.notes || null
  if (notes !== before.notes) {
    project.notes = notes
    changes['notes'] = [before.notes, notes]
    activities.push(
      notes ? { type: 'note', body: notes } : { type: 'leadUpdated', body: 'Project changed: notes cleared' },
    )
  }
  return { project, changes, effects: { activities, calendar } }
}

const scheduled = [
  {
    field: 'installDate',
    key: 'installScheduled',
    kind: 'install',
    type: 'installScheduled',
    what: 'Install',
  },
  { field: 'surveyDate', key: 'siteSurveyScheduled', kind: 'survey', type: 'leadUpdated', what: 'Survey' },
] as const

const slots = [
  ['projectManagerId', 'project manager'],
  ['siteSurveyorId', 'site surveyor'],
  ['subcontractorId', 'subcontractor'],
] as const

/** Who works on a project is of the installer. */
function requirePerson({ members, installerId }: Directory, id: string, field: string): string {
  const member = members.get(id)
  if (member?.active && member.companyId === installerId) return member.name
  throw new DomainError('invalid', `${field}: this is no active member of the installer. Choose one who is.`)
}

/** Numbers are the same however many places they are written with. */
function isSame(a: string | number | null, b: string | number | null): boolean {
  if (a === b) return true
  const numbers = [a, b].map((value) => (/^\d+(\.\d+)?$/.test(String(value)) ? new Big(value!) : null))
  return Boolean(numbers[0] && numbers[1]?.eq(numbers[0]))
}

/** Whether that is the day already, for the installer or, as near midnight it may be another, for who sold it. */
function isSigned(
  { contractSignedAt, milestones, companyId }: Project,
  day: string | null,
  directory: Directory,
): boolean {
  if (day !== (milestones.contractSigned ?? null)) return false
  if (day === null || contractSignedAt === null) return day === contractSignedAt
  const zones = [installerOf(directory), directory.companies.get(companyId)!].map(({ timezone }) => timezone)
  return zones.some((zone) => dayIn(zone, contractSignedAt) === day)
}

/** A contract is signed on a day: at its noon it is that day for whoever reads it nearby. */
function noonOf(day: string, timezone: string): Date {
  const noon = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: timezone, plainTime: '12:00' })
  return new Date(noon.epochMilliseconds)
}

/** permitReceived → permit received */
function inWords(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

const moneyOrNone = (amount: Decimal | null | undefined) => (amount ? moneyInWords(amount) : 'none')

const financingNames: Record<keyof Financing, string> = {
  type: 'financing',
  lender: 'lender',
  amount: 'amount financed',
  aprPercent: 'APR',
  termMonths: 'term',
  monthlyPayment: 'monthly payment',
  dealerFeePercent: 'dealer fee',
  rate: 'rate',
  escalatorPercent: 'annual escalator',
}
const financingTypeNames: Record<string, string> = { cash: 'cash', loan: 'loan', lease: 'lease', ppa: 'PPA' }

function financingValue(name: keyof Financing, value: string | number | null): string {
  if (value === null || value === '') return 'none'
  switch (name) {
    case 'type':
      return financingTypeNames[value] ?? String(value)
    case 'amount':
    case 'monthlyPayment':
      return moneyInWords(String(value))
    case 'aprPercent':
    case 'dealerFeePercent':
    case 'escalatorPercent':
      return `${numberInWords(String(value))}%`
    case 'termMonths':
      return `${value} months`
    // Of a PPA it has more places than money.
    case 'rate':
      return `$${numberInWords(String(value))}`
    default:
      return String(value)
  }
}
