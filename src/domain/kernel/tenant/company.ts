export type CompanyKind = 'installer' | 'dealer'

export interface Company {
  id: string
  installerId: string
  kind: CompanyKind
  number: number
  name: string
  timezone: string
  /** Where its customers live unless it is said otherwise: two letters, such as US. */
  country: string
  status: 'active' | 'suspended'
  createdAt: Date
}

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

// Codes that have a name and are no country.
const groups = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ'])

/** Whether two capital letters name a country. */
export function isCountry(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && !groups.has(code) && countryNames.of(code) !== undefined
}
