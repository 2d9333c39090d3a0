import type { Context } from '../../kernel/context.ts'
import { listing } from '../../kernel/listing.ts'
import {
  type AlertOfInstallation,
  listActors,
  listOpenAlerts,
  listResolvedAlerts,
  type ResolvedPlace,
} from './alert-queries.ts'
import { requireInstallation } from './require-installation.ts'

/** An alert, and who saw to it. */
export interface KnownAlert extends AlertOfInstallation {
  acknowledgedBy: string | null
  resolvedBy: string | null
}

const maxOpen = 200
const end: ResolvedPlace = { at: new Date('9999-01-01T00:00:00Z'), id: '' }

/** What is open at an installation, the worst first, and then what is over, page by page. */
export const readAlerts = listing(
  'anything',
  async (
    ctx: Context,
    id: string,
    { before, limit }: { before: ResolvedPlace | null; limit: number },
  ): Promise<{ open: KnownAlert[]; resolved: KnownAlert[] }> => {
    const { db, actor } = ctx
    await requireInstallation(ctx, id)
    const installation = { installerId: actor.installerId, installationId: id }
    const [open, resolved] = await Promise.all([
      before ? [] : listOpenAlerts(db, { ...installation, limit: maxOpen }),
      listResolvedAlerts(db, { ...installation, ...(before ?? end), limit }),
    ])
    const actors = await listActors(
      db,
      actor.installerId,
      [...open, ...resolved].map((alert) => alert.id),
    )
    const by = (alertId: string, type: string) =>
      actors.find((event) => event.id === alertId && event.type === type)?.by ?? null
    const known = (alert: AlertOfInstallation): KnownAlert => ({
      ...alert,
      acknowledgedBy: by(alert.id, 'alert.acknowledged'),
      resolvedBy: by(alert.id, 'alert.resolved'),
    })
    return { open: open.map(known), resolved: resolved.map(known) }
  },
)
