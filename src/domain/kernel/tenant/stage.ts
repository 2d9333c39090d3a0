export const productLines = ['solar', 'hi'] as const
export type ProductLine = (typeof productLines)[number]

export const milestoneKeys = [
  'contractSigned',
  'siteSurveyScheduled',
  'siteSurveyCompleted',
  'plansetCompleted',
  'permitSubmitted',
  'permitReceived',
  'interconnectionSubmitted',
  'interconnectionApproved',
  'installScheduled',
  'installCompleted',
  'inspectionPassed',
  'ptoGranted',
] as const
export type MilestoneKey = (typeof milestoneKeys)[number]

/** Slots of a project and roles of the installer's company that a stage may alert. */
export const alertTargets = [
  'salesRep',
  'setter',
  'projectManager',
  'siteSurveyor',
  'subcontractor',
  'owner',
  'admin',
  'manager',
] as const
export type AlertTarget = (typeof alertTargets)[number]

/** A message to the customer, with placeholders that are filled in. */
export interface StageMessage {
  subject: string
  body: string
}

/** Names for a message, each once and in quotes, as one may hold a comma. */
export function stageNames(stages: readonly Pick<Stage, 'name'>[]): string {
  return [...new Set(stages.map(({ name }) => JSON.stringify(name)))].join(', ')
}

const shownCharacters = 100

/** A name that somebody sent, as a message quotes it. */
export function quotedName(name: string): string {
  return JSON.stringify(name.length > shownCharacters ? `${name.slice(0, shownCharacters)}…` : name)
}

export interface Stage {
  id: string
  productLine: ProductLine
  position: number
  name: string
  /** Stamped with the day of entry where that day is not known yet. */
  milestone: MilestoneKey | null
  daysAllowed: number | null
  checklist: string[]
  alerts: AlertTarget[]
  messages: StageMessage[]
  retired: boolean
}
