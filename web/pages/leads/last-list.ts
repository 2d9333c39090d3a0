import type { LeadFilters } from './use-leads.ts'

const key = 'sunstead-lead-list'

/** The list that somebody looks at, for the way back to it from one of its leads. */
export function rememberList(filters: LeadFilters): void {
  sessionStorage.setItem(key, JSON.stringify(filters))
}

export function lastList(): LeadFilters {
  return JSON.parse(sessionStorage.getItem(key) ?? '{}')
}
