import { isId } from '../../../platform/ids.ts'
import { type Context, confinedTo } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { findMail, type WholeMail } from './outbox-queries.ts'

// What several owners are told at once is numbered.
const numbered = /_\d{1,6}$/

/** A mail of the actor's company, or an installer's of its dealers. */
export async function requireMail({ db, actor }: Context, id: string): Promise<WholeMail> {
  const known = isId(id.replace(numbered, ''), 'mail') ? await findMail(db, actor.installerId, id) : null
  const confined = confinedTo(actor)
  if (!known || (confined !== null && confined !== known.companyId)) throw notFound('mail')
  return known
}
