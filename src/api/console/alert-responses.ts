import type { KnownAlert } from '../../domain/sites/monitoring/read-alerts.ts'

export interface AlertResponse extends Omit<KnownAlert, 'triggeredAt' | 'acknowledgedAt' | 'resolvedAt'> {
  triggeredAt: string
  acknowledgedAt: string | null
  resolvedAt: string | null
}

export interface AlertsResponse {
  /** On the first page only. */
  open: AlertResponse[]
  resolved: AlertResponse[]
  next: string | null
}

export function alertResponse({
  triggeredAt,
  acknowledgedAt,
  resolvedAt,
  ...same
}: KnownAlert): AlertResponse {
  return {
    ...same,
    triggeredAt: triggeredAt.toISOString(),
    acknowledgedAt: acknowledgedAt?.toISOString() ?? null,
    resolvedAt: resolvedAt?.toISOString() ?? null,
  }
}
