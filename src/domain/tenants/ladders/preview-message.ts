import { type MessageWords, messageMail } from '../../deals/projects/stage-mails.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import type { StageMessage } from '../../kernel/tenant/stage.ts'

/** What may stand in braces in a message to the customer. */
export const placeholders = [
  'firstName',
  'lastName',
  'stage',
  'company',
] as const satisfies readonly (keyof MessageWords)[]

export function requireKnownPlaceholders({ subject, body }: StageMessage): void {
  const known: readonly string[] = placeholders
  const text = `${subject} ${body}`
  // A habit from elsewhere: the outer braces would stay in the mail.
  const doubled = /\{\{|\}\}/.test(text)
  const unknown = [...text.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name!)
    .find((name) => !known.includes(name))
  if (unknown === undefined && !doubled) return
  const what = doubled ? 'write single braces' : `there is no {${unknown}}`
  const usable = placeholders.map((name) => `{${name}}`).join(', ')
  throw new DomainError('invalid', `messages: ${what}. What may be used: ${usable}.`)
}

const customer = { firstName: 'Ada', lastName: 'Moreno' }

/** A message as a customer of the installer would get it. */
export async function previewMessage(
  { db, directories, actor }: Context,
  message: StageMessage,
  stage: string,
): Promise<StageMessage> {
  authorize(actor, 'ladders.change')
  requireKnownPlaceholders(message)
  const { companies } = await directories.current(db, actor.installerId)
  return messageMail(message, { ...customer, stage, company: companies.get(actor.companyId)?.name ?? '' })
}
