import type { Db } from '../../../platform/db.ts'
import { boolean, integer, row } from '../../../platform/sql/row.ts'
import { type Fragment, join, type Param, type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { exists, maybeOne, run, scalar } from '../../../platform/sql/statements.ts'

interface OfUser {
  userId: string
}

type Device = OfUser & { tokenHash: Buffer }

/** Notes that the person signed in there once more; false where they never did before. */
export const noteDeviceUsed = exists(
  ($: Params<Device & { now: Date }>) => sql`
    update auth_devices set last_used_at = ${$.now}
    where user_id = ${$.userId} and token_hash = ${$.tokenHash} returning user_id`,
)

/** So many others stay known of a person: who signs in by a program is in a new browser each time. */
const maxDevices = 50

export const insertDevice = run(
  ($: Params<Device & { now: Date }>) => sql`with old as (
      delete from auth_devices where user_id = ${$.userId} and token_hash in (
        select token_hash from auth_devices where user_id = ${$.userId}
        order by last_used_at desc offset ${raw(maxDevices)})
    )
    insert into auth_devices (user_id, token_hash, created_at, last_used_at)
    values (${$.userId}, ${$.tokenHash}, ${$.now}, ${$.now})
    on conflict (user_id, token_hash) do update set last_used_at = excluded.last_used_at`,
)

export const isKnownDevice = exists(
  ($: Params<{ tokenHash: Buffer; email: string }>) => sql`
    select from auth_devices d join auth_users u on u.id = d.user_id
    where d.token_hash = ${$.tokenHash} and u.email = ${$.email}`,
)

/** Whether anybody has signed in there. */
export const isAnybodysDevice = exists(
  ($: Params<{ tokenHash: Buffer }>) =>
    sql`select from auth_devices where token_hash = ${$.tokenHash} limit 1`,
)

/** All browsers of a person but the one named, where one is. */
export const deleteDevices = run(
  ($: Params<OfUser & { keptHash: Buffer | null }>) => sql`
    delete from auth_devices where user_id = ${$.userId} and token_hash is distinct from ${$.keptHash}`,
)

/**
 * Whether nobody tried this code since `since`; from now on somebody has. What is kept of a code is taken for new again
 * only when no app shows it any more.
 */
export const claimCode = exists(
  ($: Params<OfUser & { code: string; now: Date; since: Date }>) => sql`
    insert into auth_used_codes as used (user_id, code, used_at) values (${$.userId}, ${$.code}, ${$.now})
    on conflict (user_id, code) do update set used_at = excluded.used_at where used.used_at < ${$.since}
    returning user_id`,
)

export const touchSession = run(
  ($: Params<{ id: string; now: Date }>) =>
    sql`update auth_sessions set "updatedAt" = ${$.now} where id = ${$.id}`,
)

export const countPasskeys = scalar(
  { count: integer },
  ($: Params<OfUser>) => sql`select count(*)::int as count from auth_passkeys where "userId" = ${$.userId}`,
  { shared: 'read' },
)

const factorsOf = maybeOne(
  row<{ codes: number; passkeys: number }>({ codes: integer, passkeys: integer }),
  ($: Params<OfUser>) => sql`
    select "twoFactorEnabled"::int as codes,
      (select count(*)::int from auth_passkeys where "userId" = ${$.userId}) as passkeys
    from auth_users where id = ${$.userId}`,
)

/** What the person has besides a password, at this moment. */
export async function countFactors(tx: Db, userId: string): Promise<{ codes: number; passkeys: number }> {
  return (await factorsOf(tx, { userId })) ?? { codes: 0, passkeys: 0 }
}

/**
 * Keeps others from removing factors of this person until the transaction ends; false where somebody does so now.
 * better-auth removes them by a connection of its own, so no row can be locked against it.
 */
export const claimFactors = scalar(
  { claimed: boolean },
  ($: Params<OfUser>) => sql`select pg_try_advisory_xact_lock(7310004, hashtext(${$.userId})) as claimed`,
)

export const deletePasskeys = run(
  ($: Params<OfUser>) => sql`delete from auth_passkeys where "userId" = ${$.userId}`,
)

interface SweepBounds {
  verificationsBefore: Date
  now: Date
  idleSince: Date
  codesBefore: Date
  devicesBefore: Date
}

/** So many of a kind go at once. */
const sweptAtOnce = 5_000

// The first by their index: told only that they lie before a time, the planner goes through all. Whoever holds one goes on with it.
const firstBefore = (table: string, column: string, before: Param<Date>) =>
  sql`(select ctid from ${raw(table)} where ${raw(column)} < ${before}
      order by ${raw(column)} limit ${raw(sweptAtOnce)} for update skip locked)`

// What was used meanwhile is another row, and no longer before that time.
const deleteChosen = (table: string, chosen: string, hasEnded: Fragment) =>
  sql`delete from ${raw(table)} where ctid = any(array(select ctid from ${raw(chosen)})) and (${hasEnded})`

const deleteSomeEnded = scalar({ full: boolean }, ($: Params<SweepBounds>) => {
  const kinds = {
    verifications: ['auth_verifications', '"expiresAt"', $.verificationsBefore],
    codes: ['auth_used_codes', 'used_at', $.codesBefore],
    devices: ['auth_devices', 'last_used_at', $.devicesBefore],
  } as const
  const others = Object.entries(kinds).map(
    ([
      kind,
      [table, column, before],
    ]) => sql`${raw(kind)} as materialized ${firstBefore(table, column, before)},
        ${raw(`no_more_${kind}`)} as (${deleteChosen(table, kind, sql`${raw(column)} < ${before}`)})`,
  )
  return sql`
    with expired as materialized ${firstBefore('auth_sessions', '"expiresAt"', $.now)},
      idle as materialized ${firstBefore('auth_sessions', '"updatedAt"', $.idleSince)},
      sessions as (select ctid from expired union select ctid from idle),
      no_more_sessions as (${deleteChosen(
        'auth_sessions',
        'sessions',
        sql`"expiresAt" < ${$.now} or "updatedAt" < ${$.idleSince}`,
      )}),
      ${join(others)}
    select greatest(${join(
      ['expired', 'idle', ...Object.keys(kinds)].map((kind) => sql`(select count(*) from ${raw(kind)})`),
    )}) = ${raw(sweptAtOnce)} as full`
})

/** What has ended by its time, part by part. */
export async function deleteEnded(db: Db, bounds: SweepBounds, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await deleteSomeEnded(db, bounds))) {}
}
