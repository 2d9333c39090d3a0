import { CallFailed, type JsonServer } from '../../../platform/outbound/get-json.ts'
import { idIn, isObject, own } from './answers.ts'
import type { Asking } from './walk.ts'

/**
 * Whose key it is. The legacy API cannot tell, but a server that speaks the company-key API beside it may; null where
 * it does not.
 */
export async function findScope(beside: JsonServer): Promise<Asking['scope'] | null> {
  try {
    const answer = await beside.get('v1/me', {})
    const company = isObject(answer) ? own(answer, 'company') : null
    if (!isObject(company)) return null
    const id = idIn(company, 'lead')
    if (own(company, 'kind') === 'installer' && id !== null) return { name: 'installer_id', value: id }
    const number = own(company, 'orgId')
    return typeof number === 'string' && /^\d{1,15}$/.test(number) ? { name: 'org_id', value: number } : null
  } catch (error) {
    if (error instanceof CallFailed) return null
    throw error
  }
}
