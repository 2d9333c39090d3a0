import type { Db } from '../../../platform/db.ts'
import { folded } from '../../../platform/sql/gather.ts'
import { instant, integer, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, raw, sql, when } from '../../../platform/sql/sql.ts'
import { maybeOne, one, run, scalars } from '../../../platform/sql/statements.ts'
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

const leasedMail = row<LeasedMail>({
  installerId: text,
  id: text,
  to: text,
  subject: text,
  body: text,
  createdAt: instant,
  attempts: integer,
  unanswered: integer,
  linkKind: text,
  linkRef: text,
  linkSealed: text,
})
const domain = raw(asciiLowered("split_part(m.to_address, '@', -1)"))

type Turn = Omit<Claim, 'lease' | 'leasedUntil' | 'limit'>

const isPrior = ($: Params<Pick<Claim, 'urgent'>>) => when($.urgent, sql`urgent`, sql`not urgent`)
const isDue = ($: Params<Pick<Claim, 'urgent' | 'now' | 'fullDomains'>>) =>
  sql`m.state = 'queued' and ${isPrior($)} and m.next_attempt_at <= ${$.now} and ${domain} <> all(${$.fullDomains}::text[])`

/** Who has mails that are due; those behind `after` come first. Each is found by one look into the index of what waits. */
const listDue = scalars(
  { installerId: text },
  ($: Params<Turn & { limit: number }>) => sql`with recursive waiting as (
      (select installer_id from mails where state = 'queued' and ${isPrior($)} order by installer_id limit 1)
      union all
      select (select m.installer_id from mails m
        where m.state = 'queued' and ${isPrior($)} and m.installer_id > w.installer_id order by m.installer_id limit 1)
      from waiting w where w.installer_id is not null
    )
    select w.installer_id as "installerId" from waiting w
    where w.installer_id <> all(${$.fullInstallers}::text[])
      and exists (select from mails m where m.installer_id = w.installer_id and ${isDue($)})
    order by w.installer_id <= ${$.after}, w.installer_id limit ${$.limit}`,
  { across: 'each tenant in turn gives its oldest, so that nobody waits for another', gather: inTurn },
)

function inTurn(rows: Record<string, string>[], { after, limit }: { after: string; limit: number }) {
  const isBehind = ({ installerId }: Record<string, string>) => Number(installerId! > after)
  return rows
    .toSorted((a, b) => isBehind(b) - isBehind(a) || (a['installerId']! < b['installerId']! ? -1 : 1))
    .slice(0, limit)
}

const claimOldest = maybeOne(
  leasedMail,
  ($: Params<Claim & { installerId: string }>) => sql`with due as (
      select m.id from mails m where m.installer_id = ${$.installerId} and ${isDue($)}
      order by m.next_attempt_at limit 1 for update skip locked
    )
    update mails m set lease = ${$.lease}, next_attempt_at = ${$.leasedUntil}, unanswered = m.unanswered + 1
    from due where m.installer_id = ${$.installerId} and m.id = due.id
    returning ${select(leasedMail, 'm', { to: sql`m.to_address` })}`,
)

/**
 * Takes mails that are due, at most one of each tenant, so that no other sender takes them before the lease ends. Each
 * tenant in turn gives its oldest, whatever another has waiting.
 */
export async function claimMails(db: Db, claim: Claim): Promise<LeasedMail[]> {
  const installerIds = await listDue(db, claim)
  const mails = await Promise.all(
    installerIds.map((installerId) => claimOldest(db, { ...claim, installerId })),
  )
  return mails.filter((mail) => mail !== null)
}

interface Renewal {
  installers: readonly string[]
  ids: readonly string[]
  lease: string
  until: Date
}

const renew = run(
  ($: Params<Renewal>) => sql`
    update mails m set next_attempt_at = ${$.until}
    from unnest(${$.installers}::text[], ${$.ids}::text[]) as held(installer_id, id)
    where m.installer_id = held.installer_id and m.id = held.id and m.state = 'queued' and m.lease = ${$.lease}`,
  { across: 'a sender holds mails of several tenants, by a lease that only it knows' },
)

export async function renewLeases(
  db: Db,
  mails: readonly LeasedMail[],
  lease: string,
  until: Date,
): Promise<void> {
  const [installers, ids] = [mails.map((mail) => mail.installerId), mails.map((mail) => mail.id)]
  await renew(db, { installers, ids, lease, until })
}

/** It has been taken by the mail server, which stays true if the lease ran out meanwhile. */
export const recordSent = run(
  ($: Params<{ installerId: string; id: string; now: Date }>) => sql`
    update mails set state = 'sent', attempts = attempts + 1, sent_at = ${$.now}, last_error = null, lease = null,
      unanswered = 0, link_sealed = null
    where installer_id = ${$.installerId} and id = ${$.id} and state <> 'sent'`,
)

export interface NotSent {
  state: 'queued' | 'failed'
  attempts: number
  unanswered: number
  error: string | null
  nextAttemptAt: Date
}

export const recordNotSent = run(
  ($: Params<NotSent & { installerId: string; id: string; lease: string }>) => sql`
    update mails set state = ${$.state}, attempts = ${$.attempts}, unanswered = ${$.unanswered},
      last_error = coalesce(${$.error}, last_error), next_attempt_at = ${$.nextAttemptAt}, lease = null
    where installer_id = ${$.installerId} and id = ${$.id} and lease = ${$.lease} and state = 'queued'`,
)

/** How many mails are still to be sent, and since when the oldest of them waits. */
export const countWaitingMails = one(
  row<{ waiting: number; oldest: Date | null }>({ waiting: integer, oldest: instant }),
  (_: Params<object>) => sql`
    select coalesce(sum(waiting), 0)::int as waiting, min(oldest) as oldest from (
      select installer_id, count(*) as waiting, min(created_at) as oldest from mails
      where state <> 'sent' and state = 'queued' group by installer_id) companies`,
  {
    across: 'whoever runs the server watches over all mails',
    gather: folded({ waiting: 'sum', oldest: 'least' }),
  },
)
