import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { Size } from './model.ts'

/** What the bench notes in a database that it made. */
export interface Mark extends Size {
  /** Keys of companies are made from it, so that they are known again. */
  salt: string
  seeded: boolean
  /** The day of the first readings, and how many quarters of an hour were sent since. */
  firstDay: string
  quarters: number
}

export class ForeignDatabase extends Error {
  override name = 'ForeignDatabase'
}

const schema = 'bench_scale'

// What belongs to an extension (Citus brings tables of its own) makes no database somebody's.
const tables = `
  select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    and not exists (select from pg_depend d where d.classid = 'pg_namespace'::regclass and d.objid = n.oid and d.deptype = 'e')
  order by 1, 2 limit 5`

/**
 * The mark of this database; one is set in an empty database, before anything else is made there. Whatever else is there
 * belongs to somebody: nothing is written, and the error says so.
 */
export async function openOwnDatabase(client: pg.Client, size: Size): Promise<Mark> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `select to_regclass('${schema}.mark') is not null as there`,
  )
  if (!found[0]!.there) {
    await refuseForeign(client)
    return setMark(client, size)
  }
  const name = await nameOf(client)
  const mark = (await client.query<{ value: Mark }>(`select value from ${schema}.mark`)).rows[0]?.value
  if (!mark || mark.companies !== size.companies || mark.panels !== size.panels || !mark.seeded) {
    const made = mark
      ? `for ${mark.companies} companies and ${mark.panels} panels${mark.seeded ? '' : ', and not to the end'}`
      : 'not to the end'
    throw new ForeignDatabase(
      `The database "${name}" was made by this bench ${made}. Drop it and make it anew, or ask for what it has.`,
    )
  }
  await refuseOthers(client, name)
  return mark
}

/** Throws where anything is there already, which belongs to somebody. */
export async function refuseForeign(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ schema: string; name: string }>(tables)
  if (rows.length === 0) return
  const named = rows.map((row) => `${row.schema}.${row.name}`).join(', ')
  throw new ForeignDatabase(
    `The database "${await nameOf(client)}" is not empty and was not made by this bench (it has ${named}). Nothing was changed. ` +
      `This bench fills a database and writes to it for minutes: make an empty one for it (create database scale) and name that in DATABASE_URL.`,
  )
}

async function nameOf(client: pg.Client): Promise<string> {
  return (await client.query<{ name: string }>('select current_database() as name')).rows[0]!.name
}

/** A server that runs there would lead, and do the work that is to be measured. */
async function refuseOthers(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query(
    `select from pg_stat_activity where datname = current_database() and application_name like 'sunstead%' limit 1`,
  )
  if (rows.length > 0)
    throw new ForeignDatabase(`A Sunstead server uses the database "${name}": stop it, then run this again.`)
}

async function setMark(client: pg.Client, size: Size): Promise<Mark> {
  const mark: Mark = {
    companies: size.companies,
    panels: size.panels,
    salt: randomBytes(16).toString('hex'),
    seeded: false,
    firstDay: new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10),
    quarters: 0,
  }
  await client.query(`create schema ${schema}`)
  await client.query(`create table ${schema}.mark (value jsonb not null)`)
  await client.query(`insert into ${schema}.mark values ($1)`, [JSON.stringify(mark)])
  return mark
}

export async function saveMark(client: pg.Client, mark: Mark): Promise<void> {
  await client.query(`update ${schema}.mark set value = $1`, [JSON.stringify(mark)])
}
