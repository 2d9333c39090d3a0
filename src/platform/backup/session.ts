import pg from 'pg'
import type { Database, Statement } from '../db.ts'
import { statementName } from '../statement-name.ts'

// The form in which values are written and read back, and no limits: a large table takes as long as it takes.
const settings = [
  'timezone=UTC',
  'datestyle=ISO',
  'intervalstyle=postgres',
  'bytea_output=hex',
  'extra_float_digits=1',
  'statement_timeout=0',
  'idle_in_transaction_session_timeout=0',
  'client_encoding=UTF8',
]

/** One connection of its own for a backup or a restore. */
export async function openSession(
  url: string,
  name: 'sunstead-backup' | 'sunstead-restore',
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
    application_name: name,
  })
  // A lost connection shows in the query that fails; an 'error' without a listener would end the process.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** The session as a database whose transactions are all part of the one that is open on it. */
export function asDatabase(client: pg.Client): Database {
  const query = async <Row extends object>({ text }: Statement, values: readonly unknown[]) => {
    const asked =
      values.length > 0 ? { name: statementName(text), text, values: values as unknown[] } : { text }
    return (await client.query(asked)).rows as Row[]
  }
  const database: Database = {
    query,
    transaction: (work) => work({ query }),
    reading: (_tenant, _shows, read) => read(database),
    execute: async (text) => void (await client.query(text)),
    isBusy: () => false,
    close: () => client.end(),
  }
  return database
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

export async function rowsOf<Row extends object>(client: pg.Client, text: string, values: unknown[] = []) {
  return (await client.query(text, values)).rows as Row[]
}
