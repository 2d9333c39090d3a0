import { CallFailed, type JsonServer } from '../../../platform/outbound/get-json.ts'
import { idIn, isObject, own } from './answers.ts'
import type { Asking } from './walk.ts'

type Scope = Asking['scope']

/** Whose key it is. */
interface Account {
  id: string | null
  /** As text. */
  number: string
  isInstaller: boolean
}

/**
 * Whose records are read: what was asked for, under the name that the server gives it, so that the same company is the same
 * source whether it is named by id, by number or not at all. Null where nothing says it.
 */
export async function findScope(beside: JsonServer, asked: Scope | null): Promise<Scope | null> {
  const account = await findAccount(beside)
  const whole = account?.isInstaller && account.id !== null ? account.id : null
  if (asked === null) {
    if (whole !== null) return { name: 'installer_id', value: whole }
    return account && { name: 'org_id', value: account.number }
  }
  const isOwn = asked.name === 'installer_id' && plain(asked.value) === account?.number
  return isOwn && whole !== null ? { ...asked, value: whole } : asked
}

/** The legacy API cannot tell, but a server that speaks the company-key API beside it may. */
async function findAccount(beside: JsonServer): Promise<Account | null> {
  try {
    const answer = await beside.get('v1/me', {})
    const company = isObject(answer) ? own(answer, 'company') : null
    if (!isObject(company)) return null
    const number = own(company, 'orgId')
    if (typeof number !== 'string' || !/^\d{1,15}$/.test(number)) return null
    return { id: idIn(company, 'lead'), number, isInstaller: own(company, 'kind') === 'installer' }
  } catch (error) {
    if (error instanceof CallFailed) return null
    throw error
  }
}

/** How a source is remembered: a number is the same with zeros before it. */
export const scopeText = ({ name, value }: Scope): string => `${name}=${plain(value)}`

const plain = (value: string) => value.replace(/^0+(?=\d+$)/, '')
