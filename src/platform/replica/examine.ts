import { type Db, type Statement, sessionSettings } from '../db.ts'

/** What a server says of itself. */
export interface Examined {
  isStandby: boolean
  /** The same for a server and for all that are physical copies of it. */
  system: string
  database: string
  /** Names of the migrations that it has. */
  migrations: string
  /** How far its log is written or, on a standby, replayed; null where nothing was yet. */
  place: number | null
  /** Which history its log is of; null on a standby. */
  timeline: string | null
  /** Since when the newest change was made that a standby has. */
  replayedSeconds: number | null
  zone: string
  plans: string
}

/** How far the log is, on either kind of server: what is inserted on a primary comes before anybody sees it. */
export const placeText = `(case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
  else pg_current_wal_insert_lsn() end - '0/0'::pg_lsn)::float8`
export const timelineText = `case when pg_is_in_recovery() then null
  else left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end`

const examineText: Statement = {
  name: 'examine-server',
  text: `select pg_is_in_recovery() as "isStandby",
    (select system_identifier::text from pg_control_system()) as system, current_database()::text as database,
    (select coalesce(string_agg(name, ', ' order by name), '') from migrations) as migrations,
    ${placeText} as place, ${timelineText} as timeline,
    extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as "replayedSeconds",
    current_setting('timezone') as zone, current_setting('plan_cache_mode') as plans`,
  shared: 'read',
  urgent: true,
}

export async function examineServer(db: Db): Promise<Examined> {
  const [examined] = await db.query<Examined>(examineText, [])
  return examined!
}

/** Of a standby that is further behind nothing is read, whatever it could still prove. */
export const mostBehindSeconds = 30

/**
 * Why a server must not be read from as a replica; null where it may. The primary was looked at after it: a copy that is
 * ahead of it even so has another history.
 */
export function unfitness(replica: Examined, primary: Examined, behindSeconds: number): string | null {
  if (replica.system !== primary.system) return 'it is no copy of the database of DATABASE_URL'
  if (replica.database !== primary.database)
    return `it is the database ${replica.database}, and DATABASE_URL names ${primary.database}`
  if (!replica.isStandby) return 'it is no standby: it has been promoted, or is the primary itself'
  if (replica.place === null) return 'it has replayed nothing yet'
  if (primary.place !== null && replica.place > primary.place)
    return 'it is ahead of the primary: it has changes that were lost in a failover, and must be made anew'
  if (replica.migrations !== primary.migrations) return 'its schema is not the one of the primary yet'
  if (replica.zone !== sessionSettings.timezone || replica.plans !== sessionSettings.plan_cache_mode)
    return 'its connections lack the settings that were made on the role'
  if (behindSeconds > mostBehindSeconds) return `it is ${Math.round(behindSeconds)} seconds behind`
  return null
}
