import type { Addresses, Config } from '../config.ts'
import type { FileCopying } from '../domain/deals/files/copy-files.ts'
import { listCompanies } from '../domain/kernel/tenant/queries.ts'
import { hashOf } from '../domain/tenants/keys/key.ts'
import { findKeyOwners } from '../domain/tenants/keys/queries.ts'
import { findMember } from '../domain/tenants/members/queries.ts'
import { findAccount } from '../domain/tenants/people/queries.ts'
import { givePassword } from '../domain/tenants/people/set-password.ts'
import { currentTime } from '../platform/clock.ts'
import { DatabaseUnavailable } from '../platform/database-errors.ts'
import type { Database, Db } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { createDemo } from './create-demo.ts'
import {
  adoptPendingDemo,
  type Demo,
  demoOf,
  readDemo,
  readPendingDemo,
  writeDemo,
  writePendingDemo,
} from './demo-json.ts'
import { filesOf, planDemo } from './plan.ts'
import { lockDemo } from './queries.ts'
import { storeFiles } from './stored-files.ts'

export interface DemoDeps {
  db: Database
  copying: FileCopying
  addresses: Addresses
  log: Log
}

/** The demo that is there. */
export interface DemoFound {
  demo: Demo
  /** Its passwords and keys have been shown to nobody yet. */
  isNew: boolean
}

/** Makes the demo data where it is wanted and missing, and writes demo.json; null where there is no demo. */
export async function ensureDemo(
  deps: DemoDeps,
  config: Config,
  embedded: boolean,
): Promise<DemoFound | null> {
  const wanted = config.demo ?? embedded
  if (wanted && !(await holdsCompanies(deps.db))) await create(deps, config.dataDir)
  return (await holdsCompanies(deps.db)) ? refresh(deps, config.dataDir) : null
}

async function holdsCompanies(db: Db): Promise<boolean> {
  return (await listCompanies(db, { afterNumber: 0, limit: 1 })).length > 0
}

/** All or nothing: one transaction, and the keys on disk before it is committed. */
async function create({ db, copying, addresses, log }: DemoDeps, dataDir: string): Promise<void> {
  const began = performance.now()
  log.info('making the demo data, which takes a minute on a small machine')
  const plan = planDemo(currentTime())
  // They are written while the database is busy with what comes before them.
  const stored = storeFiles(copying.store, filesOf(plan))
  let made = false
  try {
    made = await db.transaction(async (tx) => {
      await lockDemo(tx, {})
      if (await holdsCompanies(tx)) return false
      const companies = await createDemo(tx, plan, { ...copying, copier: stored.copier })
      await writePendingDemo(dataDir, demoOf(addresses, companies))
      return true
    })
  } catch (error) {
    // Whether it was committed is not known: files too many are swept up later.
    if (error instanceof DatabaseUnavailable) made = true
    throw error
  } finally {
    if (!made) await stored.remove()
  }
  if (made) log.info({ ms: Math.round(performance.now() - began) }, 'made the demo data')
}

/** The demo that is there, with its keys as they are and its addresses as they now are. */
async function refresh({ db, addresses }: DemoDeps, dataDir: string): Promise<DemoFound | null> {
  const pending = await readPendingDemo(dataDir)
  const isNew = pending !== null && (await holdsKeys(db, pending))
  if (isNew) await adoptPendingDemo(dataDir)
  const known = await readDemo(dataDir)
  if (!known) return null
  await letOwnersIn(db, known)
  const demo = { ...known, ...demoOf(addresses, known.companies) }
  if (JSON.stringify(demo) !== JSON.stringify(known)) await writeDemo(dataDir, demo)
  return { demo, isNew }
}

/** The owners of a demo that was made before people could sign in get the passwords that it names. */
async function letOwnersIn(db: Db, { companies }: Demo): Promise<void> {
  for (const { id: companyId, installerId, owner } of companies) {
    if (await findAccount(db, { email: owner.email })) continue
    const member = await findMember(db, { installerId, companyId }, owner.email)
    if (member) await givePassword(db, currentTime(), [{ ...member, installerId }], owner.password)
  }
}

async function holdsKeys(db: Db, { companies }: Demo): Promise<boolean> {
  const owners = await findKeyOwners(
    db,
    companies.map(({ key }) => hashOf(key).toString('base64')),
  )
  return owners.size > 0
}
