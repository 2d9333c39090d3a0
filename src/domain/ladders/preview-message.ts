import type { Context } from '../context.ts'
import { authorize } from '../policy.ts'
import { messageMail } from '../projects/stage-mails.ts'
import { requireKnownPlaceholders } from './placeholders.ts'
import type { StageMessage } from './stage.ts'

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
