import type { ProductLine } from '../../kernel/tenant/stage.ts'

export const calendarKinds = ['install', 'survey'] as const
export type CalendarKind = (typeof calendarKinds)[number]

/** A day on which somebody is at a customer's house, and where that is. */
export interface CustomerVisit {
  projectId: string
  kind: CalendarKind
  day: string
  productLine: ProductLine
  customer: string
  line1: string | null
  city: string | null
  state: string | null
  postalCode: string | null
  updatedAt: Date
}

/** A visit with what is to be known before going there. */
export interface CalendarEntry extends CustomerVisit {
  stage: string
  people: { role: CalendarRole; name: string }[]
}

export type CalendarRole = 'salesRep' | 'projectManager' | 'siteSurveyor' | 'subcontractor'
