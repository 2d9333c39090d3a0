import { checkAddress } from '../../../platform/outbound/address.ts'
import { Refused } from '../../../platform/outbound/refused.ts'
import { DomainError } from '../../kernel/domain-error.ts'

/** Refuses an address that nothing may be sent to. It is not repeated: secrets stand in addresses. */
export function checkUrl(url: string, trustedHosts: ReadonlySet<string>): void {
  try {
    checkAddress(url, trustedHosts)
  } catch (error) {
    throw error instanceof Refused ? new DomainError('invalid', `url: the address ${error.message}.`) : error
  }
}
