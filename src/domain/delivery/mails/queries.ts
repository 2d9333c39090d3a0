import type { Db, Statement } from '../../../platform/db.ts'
import { asciiLowered } from '../../kernel/email.ts'

/** A mail that one sender holds for now. */
export interface LeasedMail {
  installerId: string
  id: string
  to: string
  subject: string
  body: string
  createdAt: Date
  attempts: number
  /** How often it was taken without an outcome being known, this time counted. */
  unanswered: number
  linkKind: 'invitation' | 'password' | null
  linkRef: string | null
  linkSealed: string | null
}

export interface Claim {
  /** Mails that a person waits for, or all others. */
  urgent: boolean
  now: Date
  lease: string
  leasedUntil: Date
  /** Tenants and receiving domains of which enough is under way. */
  fullInstallers: string[]
  fullDomains: string[]
  /** The tenant served last: those behind it come first. */
  after: string
  limit: number
}

const domain = asciiLowered("split_part(m.to_address, '@', -1)")

// Each tenant in turn gives its oldest, whatever another has waiting: its next mail is found by one look into the
// index of those that are due.
const claimStatement = (urgent: boolean): Statement => {
  const lane = urgent ? 'urgent' : 'not urgent'
  return {
    name: urgent ? 'claim-urgent-mails' : 'claim-mails',
    text: `with recursive waiting as (
        (select installer_id from mails where state = 'queued' and ${lane} order by installer_id limit 1)
        union all
        select (select m.installer_id from mails m
          where m.state = 'queued' and ${lane} and m.installer_id > w.installer_id order by m.installer_id limit 1)
        from waiting w where w.installer_id is not null
      ), due as (
        select d.installer_id, d.id from waiting w cross join lateral (
          select m.installer_id, m.id from mails m
          where m.installer_id = w.installer_id and m.state = 'queued' and ${lane} and m.next_attempt_at <= $1
            and ${domain} <> all($5)
          order by m.next_attempt_at limit 1 for update skip locked) d
        where w.installer_id <> all($4)
        order by w.installer_id <= $6, w.installer_id limit $7
      )
      update mails m set lease = $2, next_attempt_at = $3, unanswered = m.unanswered + 1
      from due where m.installer_id = due.installer_id and m.id = due.id
      returning m.installer_id as "installerId", m.id, m.to_address as "to", m.subject, m.body,
        m.created_at as "createdAt", m.attempts, m.unanswered, m.link_kind as "linkKind", m.link_ref as "linkRef",
        m.link_sealed as "linkSealed"`,
  }
}
const claimStatements = { urgent: claimStatement(true), other: claimStatement(false) }

/** Takes mails that are due, at most one of each tenant, so that no other sender takes them before the lease ends. */
export function claimMails(db: Db, claim: Claim): Promise<LeasedMail[]> {
  const { urgent, now, lease, leasedUntil, fullInstallers, fullDomains, after, limit } = claim
  return db.query<LeasedMail>(urgent ? claimStatements.urgent : claimStatements.other, [
    now,
    lease,
    leasedUntil,
    fullInstallers,
    fullDomains,
    after,
    limit,
  ])
}

const renewStatement: Statement = {
  name: 'renew-mail-leases',
  text: `update mails m set next_attempt_at = $4 from unnest($1::text[], $2::text[]) as held(installer_id, id)
    where m.installer_id = held.installer_id and m.id = held.id and m.state = 'queued' and m.lease = $3`,
}

export async function renewLeases(
  db: Db,
  mails: readonly LeasedMail[],
  lease: string,
  until: Date,
): Promise<void> {
  const [installers, ids] = [mails.map((mail) => mail.installerId), mails.map((mail) => mail.id)]
  await db.query(renewStatement, [installers, ids, lease, until])
}

const sentStatement: Statement = {
  name: 'mail-sent',
  text: `update mails set state = 'sent', attempts = attempts + 1, sent_at = $3, last_error = null, lease = null,
      unanswered = 0, link_sealed = null
    where installer_id = $1 and id = $2 and state <> 'sent'`,
}

/** It has been taken by the mail server, which stays true if the lease ran out meanwhile. */
export async function recordSent(db: Db, mail: LeasedMail, now: Date): Promise<void> {
  await db.query(sentStatement, [mail.installerId, mail.id, now])
}

export interface NotSent {
  state: 'queued' | 'failed'
  attempts: number
  unanswered: number
  error: string | null
  nextAttemptAt: Date
}

const notSentStatement: Statement = {
  name: 'mail-not-sent',
  text: `update mails set state = $4, attempts = $5, unanswered = $6, last_error = coalesce($7, last_error),
      next_attempt_at = $8, lease = null
    where installer_id = $1 and id = $2 and lease = $3 and state = 'queued'`,
}

export async function recordNotSent(
  db: Db,
  mail: LeasedMail,
  lease: string,
  outcome: NotSent,
): Promise<void> {
  const { state, attempts, unanswered, error, nextAttemptAt } = outcome
  await db.query(notSentStatement, [
    mail.installerId,
    mail.id,
    lease,
    state,
    attempts,
    unanswered,
    error,
    nextAttemptAt,
  ])
}

const waitingStatement: Statement = {
  name: 'mails-waiting',
  text: `select coalesce(sum(waiting), 0)::int as waiting, min(oldest) as oldest from (
      select installer_id, count(*) as waiting, min(created_at) as oldest from mails
      where state <> 'sent' and state = 'queued' group by installer_id) companies`,
}

/** How many mails are still to be sent, and since when the oldest of them waits. */
export async function countWaitingMails(db: Db): Promise<{ waiting: number; oldest: Date | null }> {
  const [row] = await db.query<{ waiting: number; oldest: Date | null }>(waitingStatement, [])
  return row!
}
