import type { Db, Statement } from '../../platform/db.ts'

export interface Mail {
  installerId: string
  id: string
  to: string
  subject: string
  body: string
  attempts: number
}

const dueStatement: Statement = {
  name: 'mail-due',
  text: `select installer_id as "installerId", id, to_address as "to", subject, body, attempts from mails
    where state = 'queued' and next_attempt_at <= $1 order by next_attempt_at limit 1 for update skip locked`,
}

/** A mail that is due; locked, so that no other process sends it too. */
export async function takeDueMail(tx: Db, now: Date): Promise<Mail | null> {
  const [mail] = await tx.query<Mail>(dueStatement, [now])
  return mail ?? null
}

const settleStatement: Statement = {
  name: 'mail-settle',
  text: `update mails set state = $3, attempts = attempts + 1, sent_at = $4, last_error = $5, next_attempt_at = $6
    where installer_id = $1 and id = $2`,
}

export async function settleMail(
  tx: Db,
  mail: Mail,
  outcome: {
    state: 'queued' | 'sent' | 'failed'
    sentAt: Date | null
    error: string | null
    nextAttemptAt: Date
  },
): Promise<void> {
  const { state, sentAt, error, nextAttemptAt } = outcome
  await tx.query(settleStatement, [mail.installerId, mail.id, state, sentAt, error, nextAttemptAt])
}
