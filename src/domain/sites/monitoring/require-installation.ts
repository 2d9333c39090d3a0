import { type Context, scopeOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { findMonitored, type Monitored } from './installation-queries.ts'

/**
 * An installation of the caller's: of its company, or for the installer of any in the tenant; for those who see only
 * their own, of a project that they are on.
 */
export async function requireInstallation(ctx: Context, id: string): Promise<Monitored> {
  const found = await findMonitored(ctx.db, scopeOf(ctx), id)
  if (!found) throw notFound('installation')
  return found
}
