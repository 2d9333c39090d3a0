import { type Context, confinedTo } from '../context.ts'
import { listMemberships } from '../people/queries.ts'
import { requireAdmin } from '../people/require-admin.ts'
import type { OutboxMail } from './outbox-queries.ts'
import { requireMail } from './require-mail.ts'

export interface ReadMail {
  mail: OutboxMail
  body: string
  /** It holds an address that lets its reader in, which is not shown here. */
  hidesLink: boolean
}

const letsIn = /https?:\/\/\S*\/(invitation|reset-password)\?token=[\w-]+/g

/** A mail as it was written, but for an address by which its reader could be somebody else. */
export async function readMail(ctx: Context, id: string, sendsMail: boolean): Promise<ReadMail> {
  requireAdmin(ctx.actor, 'read mails')
  const { body, ...mail } = await requireMail(ctx, id)
  if (body.search(letsIn) < 0) return { mail, body, hidesLink: false }
  const kinds = [...body.matchAll(letsIn)].map(([, kind]) => kind)
  const handsOut = !sendsMail && kinds.every((kind) => kind === 'invitation')
  if (handsOut && (await decidesAbout(ctx, mail.to))) return { mail, body, hidesLink: false }
  return { mail, body: body.replaceAll(letsIn, '[…]'), hidesLink: true }
}

/**
 * Whether everything that the person of this email may do is the actor's to decide: the link makes whoever opens it
 * that person, in every company that they work for. Only owners decide about owners.
 */
async function decidesAbout({ db, actor }: Context, email: string): Promise<boolean> {
  const memberships = await listMemberships(db, email)
  const confined = confinedTo(actor)
  return (
    memberships.length > 0 &&
    memberships.every(
      ({ installerId, companyId, role }) =>
        installerId === actor.installerId &&
        (confined === null || confined === companyId) &&
        (role !== 'owner' || actor.role === 'owner'),
    )
  )
}
