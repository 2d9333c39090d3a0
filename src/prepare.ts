import type { Deps } from './api/deps.ts'
import type { Config } from './config.ts'
import { type DemoFound, ensureDemo } from './demo/ensure-demo.ts'
import { joinStore } from './domain/deals/files/join-store.ts'
import { eraseAgain } from './domain/operations/privacy/erase-again.ts'
import { setUpCode } from './domain/tenants/companies/set-up-code.ts'
import type { Parts } from './parts.ts'
import type { LineList } from './platform/line-file.ts'
import type { Log } from './platform/log.ts'
import { migrate } from './platform/migrate.ts'
import type { OpenDatabase } from './platform/open-database.ts'
import { migrateQueue } from './platform/queue.ts'
import { shortageOf } from './platform/shortage.ts'

/** What whoever starts a server is told. */
export interface Prepared {
  /** With what the first company is made; null where there is one. */
  setUpCode: string | null
  /** What the demo made, where there is one. */
  demo: DemoFound | null
}

/** Brings the database to this version. */
export async function prepareSchema({ url }: OpenDatabase, log: Log): Promise<void> {
  const applied = await migrate(url, { note: (message) => log.info(message) })
  if (applied.length > 0) log.info({ applied }, 'migrated the database')
  await migrateQueue(url, log)
}

/** Sees to what must be in the database before anybody is served. */
export async function prepareData(
  { deps, erasedList }: Parts,
  config: Config,
  embedded: boolean,
  signal: AbortSignal | undefined,
): Promise<Prepared> {
  const doubt = await joinStore(deps.db, deps.copying.store)
  if (doubt) deps.log.warn(doubt)
  await eraseListed(deps, erasedList, signal)
  const demo = await ensureDemo({ ...deps, db: deps.jobsDb }, config, embedded)
  return { demo, setUpCode: await setUpCode(deps.db, deps.box) }
}

/** A database that was restored from before somebody was erased must not be served with them in it. */
async function eraseListed(deps: Deps, erasedList: LineList, signal: AbortSignal | undefined): Promise<void> {
  const { jobsDb, directories, copying, addresses, log } = deps
  const erasing = { store: copying.store, baseUrl: addresses.baseUrl, note: deps.noteErased }
  const list = await erasedList.read()
  const { erased } = await eraseAgain(jobsDb, directories, erasing, list, signal)
  if (erased > 0) log.warn({ erased }, 'erased customers again whom a restored database had brought back')
}

/** In words that say what to change. */
export function explainedStart(error: unknown, { dataDir }: Config): unknown {
  const { code, path, message } = error as NodeJS.ErrnoException
  const shortage = shortageOf(error)
  if (shortage) return new Error(`Sunstead cannot start: ${shortage} (${message}).`, { cause: error })
  if (!['EACCES', 'EPERM', 'ENOTDIR', 'EISDIR', 'EEXIST'].includes(code ?? '') || path === undefined)
    return error
  return new Error(
    `Sunstead cannot use ${path} (${message}). Let the user who starts it write there, or set DATA_DIR ` +
      `(now ${dataDir}) to another folder.`,
    { cause: error },
  )
}

/** The same for a port. */
export function explainedListen(error: unknown, { host, port }: Config): unknown {
  if ((error as { code?: string }).code !== 'EADDRINUSE') return error
  return new Error(`${host}:${port} is taken by another program. Stop that one, or set PORT to another port.`)
}
