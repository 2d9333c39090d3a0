import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from './db.ts'

const folder = join(import.meta.dirname, '../../migrations')
const lock = 7_310_001

/** Applies what is missing, in order, one transaction each; several processes may start at once. */
export async function migrate(db: Database): Promise<string[]> {
  const [server] = await db.query<{ version: number }>(
    { name: 'server-version', text: `select current_setting('server_version_num')::int as version` },
    [],
  )
  if (server!.version < 150000) throw new Error('PostgreSQL 15 or newer is needed')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const applied: string[] = []
  await db
    .execute(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    .catch((error) => {
      // Two first starts at once: the other one made it.
      if (!['23505', '42P07'].includes((error as { code?: string }).code ?? '')) throw error
    })
  for (const name of names) {
    const text = await readFile(join(folder, name), 'utf8')
    await db.transaction(async (tx) => {
      await tx.query({ name: 'migration-lock', text: 'select pg_advisory_xact_lock($1)' }, [lock])
      const done = await tx.query(
        { name: 'migration-find', text: 'select name from migrations where name = $1' },
        [name],
      )
      if (done.length > 0) return
      await tx.query({ name: '', text }, [])
      await tx.query({ name: 'migration-add', text: 'insert into migrations (name) values ($1)' }, [name])
      applied.push(name)
    })
  }
  return applied
}

/** The migrations of this version that the database does not have yet. */
export async function pendingMigrations(db: Database): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const [there] = await db.query<{ there: boolean }>(
    { name: 'migrations-there', text: `select to_regclass('migrations') is not null as there` },
    [],
  )
  if (!there!.there) return names
  const done = await db.query<{ name: string }>(
    { name: 'migrations-done', text: 'select name from migrations order by name' },
    [],
  )
  const known = new Set(done.map((row) => row.name))
  return names.filter((name) => !known.has(name))
}
