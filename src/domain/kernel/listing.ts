import type { Shows } from '../../platform/db.ts'
import type { Context } from './context.ts'

/**
 * Declares a list or a report: it only reads, and may be read from a replica that has all that was answered before. It
 * shows what is `clocked` where each change of it moves the tenant's clock in the same transaction.
 */
export const listing =
  <Rest extends unknown[], T>(shows: Shows, read: (ctx: Context, ...rest: Rest) => Promise<T>) =>
  (ctx: Context, ...rest: Rest): Promise<T> =>
    ctx.db.reading(ctx.actor.installerId, shows, (db) => read({ ...ctx, db }, ...rest))
