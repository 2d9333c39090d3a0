import { type Database, openDatabase } from './db.ts'
import { openEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts'

export interface OpenDatabase {
  db: Database
  url: string
  embedded: boolean
  close(): Promise<void>
}

/** The database that the configuration names: the operator's own, or the embedded one. */
export async function openConfiguredDatabase(
  config: { databaseUrl: string | null; dataDir: string },
  role: 'server' | 'tool',
  note: (message: string) => void,
): Promise<OpenDatabase> {
  const ignore = (error: Error) => note(`a connection to the database was lost: ${error.message}`)
  if (config.databaseUrl) {
    const db = openDatabase(config.databaseUrl, ignore)
    return { db, url: config.databaseUrl, embedded: false, close: () => db.close() }
  }
  const postgres = await openEmbeddedPostgres({ dataDir: config.dataDir, role, note })
  const db = openDatabase(postgres.url, ignore)
  return {
    db,
    url: postgres.url,
    embedded: true,
    async close() {
      await db.close()
      await postgres.close()
    },
  }
}
