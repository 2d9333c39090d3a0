export const alertTypes = ['outage', 'underperformance', 'data_gap', 'anomaly'] as const
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
  /** Null: several panels, or the whole installation. */
  panelId: string | null
  /** Where there are several: those that are or were at fault. */
  memberIds: readonly string[]
  type: AlertType
  severity: Severity
  status: AlertStatus
  title: string
  description: string
  recommendedAction: string
  /** What the panel made of what its siblings made before it became weaker. */
  usualRatio: number | null
  /** The same of each member. */
  usualRatios: readonly (number | null)[]
  /** Grows with every change. */
  version: number
  /** When the fault began; null of alerts that are older than this field. */
  beganAt: Date | null
  triggeredAt: Date
  /** By the tenant's clock. */
  updatedAt: Date
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
    members: panelsOf(alert),
    title: alert.title,
    description: alert.description,
    recommended_action: alert.recommendedAction,
    triggered_at: alert.triggeredAt.toISOString(),
    acknowledged_at: alert.acknowledgedAt?.toISOString() ?? null,
    resolved_at: alert.resolvedAt?.toISOString() ?? null,
    updated_at: alert.updatedAt.toISOString(),
  }
}

/** A cause that reaches further is told by more than one alert. */
export const maxMembers = 250

/** The panels that an alert is about; none where it is the whole installation. */
export function panelsOf({ panelId, memberIds }: Pick<Alert, 'panelId' | 'memberIds'>): readonly string[] {
  return panelId === null ? memberIds : [panelId]
}

/** The same by what an installation as a whole may have, too. */
export function subjectsOf(alert: Pick<Alert, 'type' | 'panelId' | 'memberIds'>): string[] {
  const panels = panelsOf(alert)
  return panels.length === 0
    ? [subjectOf({ type: alert.type, panelId: null })]
    : panels.map((panelId) => subjectOf({ type: alert.type, panelId }))
}

/** What may be wrong: of each there is one open alert at most. */
export function subjectOf({ type, panelId }: { type: AlertType; panelId: string | null }): string {
  return `${type} ${panelId ?? ''}`
}

export function worse(a: Severity, b: Severity): boolean {
  return severities.indexOf(a) > severities.indexOf(b)
}
