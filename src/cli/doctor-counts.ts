import { lockTenant } from '../domain/kernel/tenant/clock-queries.ts'
import { eachInstaller } from '../domain/kernel/tenant/queries.ts'
import { listWrongCounts } from '../domain/operations/checks/count-queries.ts'
import type { WrongCount } from '../domain/operations/checks/kept-count.ts'
import type { Database } from '../platform/db.ts'

const shown = 5

/** Holds the counts that are kept against what they count. */
export async function examineCounts(db: Database, mend: boolean): Promise<string> {
  const wrong: WrongCount[] = []
  let tenants = 0
  for await (const installerId of eachInstaller(db)) {
    tenants++
    // One moment for all of it, or, to mend, nobody else writing.
    const found = await db.transaction(
      async (tx) => {
        if (mend) await lockTenant(tx, installerId)
        return listWrongCounts(tx, installerId, mend)
      },
      mend ? 'read committed' : 'repeatable read',
    )
    wrong.push(...found)
  }
  if (wrong.length === 0) return `those of ${tenants} installers are right`
  if (mend) return `${wrong.length} mended`
  const some = wrong.slice(0, shown).map(({ what, kept, counted }) => `${what}: ${kept}, counted ${counted}`)
  const more = wrong.length > shown ? ' …' : ''
  throw new Error(`${wrong.length} are wrong (${some.join('; ')}${more}); run "sunstead doctor --mend"`)
}
