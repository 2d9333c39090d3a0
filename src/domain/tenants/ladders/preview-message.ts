import { messageMail } from '../../deals/projects/stage-mails.ts'
import type { Context } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import type { StageMessage } from '../../kernel/tenant/stage.ts'
import { requireKnownPlaceholders } from './placeholders.ts'

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
