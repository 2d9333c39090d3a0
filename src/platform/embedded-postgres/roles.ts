import { randomBytes } from 'node:crypto'
import { rm, truncate } from 'node:fs/promises'
import type pg from 'pg'
import type { Cluster } from './cluster.ts'
import { logFile } from './process.ts'
import { readRecord, updateRecord } from './record.ts'

/** As whom one connects. */
export interface Login {
  user: string
  password: string
  database: string
}

const databaseName = 'sunstead'
/** Made by initdb, and so a superuser for ever: it makes the others and mends what they have, and nothing else. */
const ownerName = 'sunstead'
/** Owns its database and may do nothing outside of it: neither read files of the machine nor run its programs. */
const applicationName = 'sunstead_app'

export const ownerLogin = ({ password }: Cluster, database = databaseName): Login => ({
  user: ownerName,
  password,
  database,
})

export const applicationLogin = ({ applicationPassword }: Cluster): Login => ({
  user: applicationName,
  password: applicationPassword,
  database: databaseName,
})

/** The lock that those who make roles take one after the other, in the database `postgres`. */
const rolesLock = '1398099540, 3'

/** Makes the application's role and database where they are missing, and gives it what an earlier version made. */
export async function prepareRoles(
  cluster: Cluster,
  connect: (login: Login) => Promise<pg.Client>,
): Promise<void> {
  const owner = await connect(ownerLogin(cluster, 'postgres'))
  try {
    await owner.query(`select pg_advisory_lock(${rolesLock})`)
    await findOrCreatePassword(cluster)
    const role = await owner.query('select from pg_roles where rolname = $1', [applicationName])
    await owner.query(
      `${role.rowCount === 0 ? 'create' : 'alter'} role ${applicationName} login nosuperuser nocreaterole noreplication
        nobypassrls password ${owner.escapeLiteral(cluster.applicationPassword)}`,
    )
    const there = await owner.query('select from pg_database where datname = $1', [databaseName])
    if (there.rowCount === 0) await owner.query(`create database ${databaseName} owner ${applicationName}`)
    else await handOver(cluster, connect)
  } finally {
    await owner.end()
  }
}

/** An earlier version wrote down the owner's alone, and to its log what statements held: that is let go. */
async function findOrCreatePassword(cluster: Cluster): Promise<void> {
  const known = (await readRecord(cluster.dataDir))?.applicationPassword
  cluster.applicationPassword = known ?? randomBytes(24).toString('base64url')
  if (known) return
  await updateRecord(cluster.dataDir, { applicationPassword: cluster.applicationPassword })
  await truncate(logFile(cluster)).catch(() => {})
  await rm(`${logFile(cluster)}.old`, { force: true })
}

// What belongs to an extension, a table's column or the system stays as it is.
const strayStatement = `
  with owner as (select oid from pg_roles where rolname = '${ownerName}'),
    own as (select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'),
    tied as (select d.classid, d.objid from pg_depend d left join pg_class c on d.classid = 'pg_class'::regclass and c.oid = d.objid
      where d.deptype = 'e' or (d.deptype in ('a', 'i') and c.relkind = 'S'))
  select format('schema %I', n.nspname) as stray
    from own n join pg_namespace s on s.oid = n.oid, owner where s.nspowner = owner.oid
      and ('pg_namespace'::regclass, n.oid) not in (select * from tied)
  union all
  select format('%s %s', case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence'
      when 'f' then 'foreign table' else 'table' end, c.oid::regclass)
    from pg_class c join own n on n.oid = c.relnamespace, owner
    where c.relowner = owner.oid and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
      and ('pg_class'::regclass, c.oid) not in (select * from tied)
  union all
  select format('routine %s', p.oid::regprocedure) from pg_proc p join own n on n.oid = p.pronamespace, owner
    where p.proowner = owner.oid and ('pg_proc'::regclass, p.oid) not in (select * from tied)
  union all
  select format('%s %s', case t.typtype when 'd' then 'domain' else 'type' end, t.oid::regtype)
    from pg_type t join own n on n.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid, owner
    where t.typowner = owner.oid and ('pg_type'::regclass, t.oid) not in (select * from tied) and t.typelem = 0
      and (t.typtype in ('d', 'e', 'r') or c.relkind = 'c')`

/** One transaction: a server that is killed amid it finds all of it undone. */
async function handOver(cluster: Cluster, connect: (login: Login) => Promise<pg.Client>): Promise<void> {
  const client = await connect(ownerLogin(cluster))
  try {
    await client.query(`begin; set local lock_timeout = '20s'`)
    await client.query(`alter database ${databaseName} owner to ${applicationName}`)
    const { rows } = await client.query<{ stray: string }>(strayStatement)
    for (const { stray } of rows) await client.query(`alter ${stray} owner to ${applicationName}`)
    await client.query('commit')
  } finally {
    await client.end()
  }
}

export function loginUrl({ user, password, database }: Login, socketDir: string): string {
  const host = encodeURIComponent(socketDir)
  // The port and sslmode keep PGPORT and PGSSLMODE of our environment out.
  return `postgres://${user}:${encodeURIComponent(password)}@${host}:5432/${database}?sslmode=disable`
}
