import type { BillingSearch } from './use-billing.ts'

const key = 'sunstead-billing-list'

/** The list that somebody looks at, for the way back to it from one of its invoices. */
export function rememberList(search: BillingSearch): void {
  sessionStorage.setItem(key, JSON.stringify(search))
}

export function lastList(): BillingSearch {
  return JSON.parse(sessionStorage.getItem(key) ?? '{}')
}
