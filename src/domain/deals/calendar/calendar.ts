import type { ProductLine } from '../../kernel/tenant/stage.ts'

export const calendarKinds = ['install', 'survey'] as const
export type CalendarKind = (typeof calendarKinds)[number]

/** A day on which somebody is at a customer's house, with what is to be known before going there. */
export interface CalendarEntry {
  projectId: string
  kind: CalendarKind
  day: string
  productLine: ProductLine
  customer: string
  line1: string | null
  city: string | null
  state: string | null
  postalCode: string | null
  stage: string
  people: { role: CalendarRole; name: string }[]
  updatedAt: Date
}

export type CalendarRole = 'salesRep' | 'projectManager' | 'siteSurveyor' | 'subcontractor'
