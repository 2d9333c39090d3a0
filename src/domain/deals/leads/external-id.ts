import { hash } from 'node:crypto'

/** What is kept of an id of a company's own system once the lead is erased: enough to know it when it is sent again. */
export function externalIdHash(companyId: string, externalId: string): string {
  return hash('sha256', `${companyId}\n${externalId}`, 'hex')
}
