import type { Addresses } from '../../config.ts'
import type { Interface } from '../../domain/kernel/context.ts'

/** An address that a new key may be tried on: of the interfaces it works on, the first. */
export function firstAddress(
  { baseUrl, legacyBaseUrl, catalogBaseUrl }: Addresses,
  interfaces: readonly Interface[],
  companyNumber: number,
): string {
  if (interfaces.includes('company')) return `${baseUrl}/v1/me`
  if (interfaces.includes('catalog')) return `${catalogBaseUrl}/v1/installations`
  return `${legacyBaseUrl}/fetch_all_project?org_id=${companyNumber}&page=1`
}
