import type { KnownAlert } from '../../domain/sites/monitoring/read-alerts.ts'

export interface AlertShown extends Omit<KnownAlert, 'triggeredAt' | 'acknowledgedAt' | 'resolvedAt'> {
  triggeredAt: string
  acknowledgedAt: string | null
  resolvedAt: string | null
}

export interface AlertsShown {
  /** On the first page only. */
  open: AlertShown[]
  resolved: AlertShown[]
  next: string | null
}

export function alertShown({ triggeredAt, acknowledgedAt, resolvedAt, ...same }: KnownAlert): AlertShown {
  return {
    ...same,
    triggeredAt: triggeredAt.toISOString(),
    acknowledgedAt: acknowledgedAt?.toISOString() ?? null,
    resolvedAt: resolvedAt?.toISOString() ?? null,
  }
}
