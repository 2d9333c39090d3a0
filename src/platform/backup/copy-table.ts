import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { readData, writeData } from './data-file.ts'
import type { Data } from './manifest.ts'
import { quoted } from './session.ts'

const listOf = (columns: readonly string[]) => columns.map(quoted).join(', ')

/** Writes what a COPY answers to a file. */
export function saveCopy(client: pg.Client, what: string, path: string): Promise<Data> {
  return writeData(path, client.query(copyTo(`copy ${what} to stdout`)))
}

export function saveTable(
  client: pg.Client,
  { name, columns }: { name: string; columns: readonly string[] },
  path: string,
): Promise<Data> {
  return saveCopy(client, `${quoted(name)} (${listOf(columns)})`, path)
}

/** Reads a file into a table; checks that it holds what was backed up, and that all of it went in. */
export async function loadTable(
  client: pg.Client,
  { name, columns }: { name: string; columns: readonly string[] },
  path: string,
  data: Data,
): Promise<void> {
  const into = client.query(copyFrom(`copy ${quoted(name)} (${listOf(columns)}) from stdin`))
  await readData(path, data, into)
  if (into.rowCount !== data.rows) {
    throw new Error(`${name} took ${into.rowCount} of ${data.rows} rows: use another backup.`)
  }
}
