export const alertTypes = ['outage', 'underperformance', 'data_gap'] as const
export type AlertType = (typeof alertTypes)[number]

/** From the least to the worst. */
export const severities = ['low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof severities)[number]

export const alertStatuses = ['active', 'acknowledged', 'resolved'] as const
export type AlertStatus = (typeof alertStatuses)[number]

export interface Alert {
  id: string
  companyId: string
  installationId: string
  /** Null: the whole installation. */
  panelId: string | null
  type: AlertType
  severity: Severity
  status: AlertStatus
  title: string
  description: string
  recommendedAction: string
  /** What the panel made of what its siblings made before it became weaker. */
  usualRatio: number | null
  /** Grows with every change. */
  version: number
  triggeredAt: Date
  acknowledgedAt: Date | null
  resolvedAt: Date | null
}

export type AlertRecord = ReturnType<typeof alertRecord>

/** As the catalogue API reads it. */
export function alertRecord(alert: Alert) {
  return {
    id: alert.id,
    type: alert.type,
    severity: alert.severity,
    status: alert.status,
    installation_id: alert.installationId,
    panel_id: alert.panelId,
    title: alert.title,
    description: alert.description,
    recommended_action: alert.recommendedAction,
    triggered_at: alert.triggeredAt.toISOString(),
    acknowledged_at: alert.acknowledgedAt?.toISOString() ?? null,
    resolved_at: alert.resolvedAt?.toISOString() ?? null,
  }
}

/** What an alert is about: of each there is one open alert at most. */
export function subjectOf({ type, panelId }: { type: AlertType; panelId: string | null }): string {
  return `${type} ${panelId ?? ''}`
}

export function worse(a: Severity, b: Severity): boolean {
  return severities.indexOf(a) > severities.indexOf(b)
}
