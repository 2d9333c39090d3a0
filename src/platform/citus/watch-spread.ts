import type { Db } from '../db.ts'

const lookMs = 5_000

const hasExtension = `select from pg_extension where extname = 'citus'`
const isSpread = `select from pg_dist_partition where logicalrelid = to_regclass('tenant_clocks')`

/**
 * Settles, with what to say, once tenants are spread over nodes while a server runs that asks as if they were on one: most of
 * what it asks is refused from then on. Whoever goes over to Citus is to stop all servers before, and may forget one.
 */
export function watchSpread(db: Db): { spread: Promise<Error>; end(): void } {
  const { promise: spread, resolve } = Promise.withResolvers<Error>()
  const find = async (text: string) => (await db.query({ text }, [])).length > 0
  const timer = setInterval(async () => {
    // What cannot be asked just now is asked again.
    const found = await find(hasExtension)
      .then((there) => there && find(isSpread))
      .catch(() => false)
    if (found) resolve(new Error('The tenants have been spread over the nodes of a cluster. Start again.'))
  }, lookMs).unref()
  return { spread, end: () => clearInterval(timer) }
}
