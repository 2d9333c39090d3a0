import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { migrateWithin, readMigrations } from '../migrate.ts'
import { loadTable } from './copy-table.ts'
import { readData } from './data-file.ts'
import { jobsFile, tableFile } from './folder.ts'
import type { Manifest } from './manifest.ts'
import { createPartition, dropOwn, readTables, setAsideKeys } from './schema.ts'
import { quoted } from './session.ts'

/** Refuses a backup that this version cannot read. */
export async function checkMigrations({ migrations, version }: Manifest): Promise<void> {
  const known = new Map((await readMigrations()).map(({ name, checksum }) => [name, checksum]))
  for (const { name, sha256 } of migrations) {
    if (!known.has(name))
      throw new Error(
        `The backup was made by Sunstead ${version} and has ${name}, which this version does not know. Use the version that made it or a newer one.`,
      )
    if (known.get(name) !== sha256)
      throw new Error(
        `The backup was made with another ${name} than this version has. Use the version that made it.`,
      )
  }
}

/**
 * Replaces what the database holds by a backup, in the one transaction that is open on the session: until it is
 * committed, and where it never is, everybody sees what was there before.
 */
export async function loadDatabase(
  client: pg.Client,
  backup: string,
  manifest: Manifest,
  onProgress: (text: string) => void,
): Promise<void> {
  const before = await readTables(client)
  await dropOwn(client, before.all)
  await migrateWithin(
    client,
    manifest.migrations.map(({ name }) => name),
  )
  const made = new Set((await readTables(client)).all)
  for (const table of manifest.tables) {
    if (table.parent !== null && !made.has(table.name)) await createPartition(client, table)
  }
  const { holding } = await readTables(client)
  checkColumns(manifest, holding)
  const makeKeys = await setAsideKeys(client)
  // What migrations put into a table is in the backup, as it was then.
  for (const { name } of holding) {
    if ((await client.query(`select from ${quoted(name)} limit 1`)).rowCount)
      await client.query(`delete from ${quoted(name)}`)
  }
  let loaded = 0
  for (const table of manifest.tables) {
    await loadTable(client, table, tableFile(backup, table.name), table.data)
    onProgress(`${++loaded} of ${manifest.tables.length} tables`)
  }
  for (const text of makeKeys) {
    await client.query(text)
    onProgress('making indexes and keys')
  }
  for (const { name, lastValue, isCalled } of manifest.sequences) {
    await client.query('select setval($1::regclass, $2::bigint, $3)', [quoted(name), lastValue, isCalled])
  }
  await loadJobs(client, backup, manifest)
  await migrateWithin(client)
}

function checkColumns(manifest: Manifest, tables: { name: string; columns: string[] }[]): void {
  const there = new Map(tables.map(({ name, columns }) => [name, columns.join()]))
  for (const { name, columns } of manifest.tables) {
    if (there.get(name) !== columns.join())
      throw new Error(`The backup's table ${name} has other columns than its migrations make.`)
  }
  const missing = tables.find(({ name }) => !manifest.tables.some((table) => table.name === name))
  if (missing) throw new Error(`The backup lacks the table ${missing.name}.`)
}

/** Work that waited is asked for again; what was being done when it was backed up is done again. */
async function loadJobs(client: pg.Client, backup: string, { jobs }: Manifest): Promise<void> {
  await client.query('delete from graphile_worker._private_jobs')
  if (!jobs || jobs.rows === 0) return
  await client.query(`create temporary table restored_jobs (identifier text, payload json, queue_name text,
    run_at timestamptz, max_attempts integer, job_key text, priority integer, flags text[]) on commit drop`)
  await readData(jobsFile(backup), jobs, client.query(copyFrom('copy restored_jobs from stdin')))
  await client.query(`select count(*) from restored_jobs j cross join lateral graphile_worker.add_job(j.identifier,
    j.payload, j.queue_name, j.run_at, j.max_attempts, j.job_key, j.priority, j.flags)`)
}
