import type { RecordEvent } from '../../journal/events/record-events.ts'
import { differences } from '../../kernel/differences.ts'
import type { Decimal } from '../../kernel/money.ts'

export interface Installation {
  installerId: string
  id: string
  companyId: string
  /** Where it came from a project. */
  projectId: string | null
  name: string
  /** In one text. */
  address: string
  region: string
  timezone: string
  /** As it was stated; null: what its panels have together. */
  capacityKw: Decimal | null
  panelCount: number
  panelsKw: Decimal
  /** Grows with every change. */
  version: number
  createdAt: Date
  updatedAt: Date
}

/** As the catalogue API reads it. */
export function installationRecord(installation: Installation) {
  return {
    id: installation.id,
    name: installation.name,
    address: installation.address,
    region: installation.region,
    timezone: installation.timezone,
    panel_count: installation.panelCount,
    capacity_kw: Number(installation.capacityKw ?? installation.panelsKw),
    project_id: installation.projectId,
    created_at: installation.createdAt.toISOString(),
    updated_at: installation.updatedAt.toISOString(),
  }
}

/** What is told of an installation; `before` is what it was, where it was there. */
export function installationEvent(
  type: 'installation.created' | 'installation.updated' | 'installation.deleted',
  installation: Installation,
  before?: Installation,
): RecordEvent {
  const { companyId, id, version } = installation
  const event = { type, companyId, subjectId: id, data: { ...installationRecord(installation), version } }
  if (!before) return event
  const fields = ['name', 'address', 'region', 'timezone', 'capacityKw', 'panelCount'] as const
  return {
    ...event,
    before: installationRecord(before),
    changes: differences(before, installation, fields),
  }
}

export type InstallationRecord = ReturnType<typeof installationRecord>
