import type { Decimal } from '../leads/lead.ts'

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
  }
}

export type InstallationRecord = ReturnType<typeof installationRecord>
