import type { Db, Statement } from '../../../platform/db.ts'

const useDeviceStatement: Statement = {
  name: 'use-device',
  text: `update auth_devices set last_used_at = $3 where user_id = $1 and token_hash = $2 returning user_id`,
}

/** Notes that the person signed in there once more; false where they never did before. */
export async function noteDeviceUsed(db: Db, userId: string, tokenHash: Buffer, now: Date): Promise<boolean> {
  return (await db.query(useDeviceStatement, [userId, tokenHash, now])).length > 0
}

/** So many others stay known of a person: who signs in by a program is in a new browser each time. */
const mostDevices = 50

const insertDeviceStatement: Statement = {
  name: 'insert-device',
  text: `with old as (
      delete from auth_devices where user_id = $1 and token_hash in (
        select token_hash from auth_devices where user_id = $1 order by last_used_at desc offset $4)
    )
    insert into auth_devices (user_id, token_hash, created_at, last_used_at) values ($1, $2, $3, $3)
    on conflict (user_id, token_hash) do update set last_used_at = excluded.last_used_at`,
}

export async function insertDevice(db: Db, userId: string, tokenHash: Buffer, now: Date): Promise<void> {
  await db.query(insertDeviceStatement, [userId, tokenHash, now, mostDevices])
}

const knownDeviceStatement: Statement = {
  name: 'known-device',
  text: `select from auth_devices d join auth_users u on u.id = d.user_id where d.token_hash = $1 and u.email = $2`,
}

export async function isKnownDevice(db: Db, tokenHash: Buffer, email: string): Promise<boolean> {
  return (await db.query(knownDeviceStatement, [tokenHash, email])).length > 0
}

const anybodysDeviceStatement: Statement = {
  name: 'anybodys-device',
  text: 'select from auth_devices where token_hash = $1 limit 1',
}

/** Whether anybody has signed in there. */
export async function isAnybodysDevice(db: Db, tokenHash: Buffer): Promise<boolean> {
  return (await db.query(anybodysDeviceStatement, [tokenHash])).length > 0
}

const forgetDevicesStatement: Statement = {
  name: 'forget-devices',
  text: 'delete from auth_devices where user_id = $1 and token_hash is distinct from $2',
}

/** All browsers of a person but the one named, where one is. */
export async function forgetDevices(db: Db, userId: string, keptHash: Buffer | null): Promise<void> {
  await db.query(forgetDevicesStatement, [userId, keptHash])
}

// What is kept of a code is taken for new again only when no app shows it any more.
const claimCodeStatement: Statement = {
  name: 'claim-code',
  text: `insert into auth_used_codes as used (user_id, code, used_at) values ($1, $2, $3)
    on conflict (user_id, code) do update set used_at = excluded.used_at where used.used_at < $4
    returning user_id`,
}

/** Whether nobody tried this code since `since`; from now on somebody has. */
export async function claimCode(
  db: Db,
  userId: string,
  code: string,
  now: Date,
  since: Date,
): Promise<boolean> {
  return (await db.query(claimCodeStatement, [userId, code, now, since])).length > 0
}

const touchSessionStatement: Statement = {
  name: 'touch-session',
  text: 'update auth_sessions set "updatedAt" = $2 where id = $1',
}

export async function touchSession(db: Db, id: string, now: Date): Promise<void> {
  await db.query(touchSessionStatement, [id, now])
}

const passkeysStatement: Statement = {
  shared: 'read',
  name: 'count-passkeys',
  text: 'select count(*)::int as count from auth_passkeys where "userId" = $1',
}

export async function countPasskeys(db: Db, userId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(passkeysStatement, [userId])
  return row!.count
}

const factorsStatement: Statement = {
  name: 'count-factors',
  text: `select "twoFactorEnabled"::int as codes, (select count(*)::int from auth_passkeys where "userId" = $1) as passkeys
    from auth_users where id = $1`,
}

/** What the person has besides a password, at this moment. */
export async function countFactors(tx: Db, userId: string): Promise<{ codes: number; passkeys: number }> {
  const [row] = await tx.query<{ codes: number; passkeys: number }>(factorsStatement, [userId])
  return row ?? { codes: 0, passkeys: 0 }
}

// better-auth removes them by a connection of its own, so no row can be locked against it.
const claimFactorsStatement: Statement = {
  name: 'claim-factors',
  text: `select pg_try_advisory_xact_lock(7310004, hashtext($1)) as claimed`,
}

/** Keeps others from removing factors of this person until the transaction ends; false where somebody does so now. */
export async function claimFactors(tx: Db, userId: string): Promise<boolean> {
  const [row] = await tx.query<{ claimed: boolean }>(claimFactorsStatement, [userId])
  return row!.claimed
}

const dropPasskeysStatement: Statement = {
  name: 'drop-passkeys',
  text: 'delete from auth_passkeys where "userId" = $1',
}

export async function dropPasskeys(db: Db, userId: string): Promise<void> {
  await db.query(dropPasskeysStatement, [userId])
}

const sweepStatement: Statement = {
  name: 'sweep-sign-ins',
  text: `with sessions as (delete from auth_sessions where "expiresAt" < $1 or "updatedAt" < $2),
      verifications as (delete from auth_verifications where "expiresAt" < $1),
      codes as (delete from auth_used_codes where used_at < $3)
    delete from auth_devices where last_used_at < $4`,
}

export interface SweepBounds {
  now: Date
  idleSince: Date
  codesBefore: Date
  devicesBefore: Date
}

/** What has ended by its time. */
export async function deleteEnded(db: Db, bounds: SweepBounds): Promise<void> {
  await db.query(sweepStatement, [bounds.now, bounds.idleSince, bounds.codesBefore, bounds.devicesBefore])
}
