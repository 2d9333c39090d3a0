import { Big } from 'big.js'
import type { Decimal } from '../../kernel/money.ts'
import type { Metadata } from './metadata.ts'

export const panelStatuses = ['active', 'inactive', 'maintenance'] as const
export type PanelStatus = (typeof panelStatuses)[number]

export interface Panel {
  installerId: string
  id: string
  companyId: string
  installationId: string
  name: string
  capacityKw: Decimal
  status: PanelStatus
  metadata: Metadata
  /** Grows with every change. */
  version: number
  createdAt: Date
  updatedAt: Date
}

/** Four places of a kilowatt are kept. */
export function kilowatts(capacityKw: number): Decimal {
  return new Big(capacityKw).toFixed(4)
}

/** As the catalogue API reads it. `dailyOutputKwh` is what it made on its latest day with readings. */
export function panelRecord(panel: Panel, dailyOutputKwh: number) {
  return {
    id: panel.id,
    name: panel.name,
    capacity_kw: Number(panel.capacityKw),
    status: panel.status,
    daily_output_kwh: dailyOutputKwh,
    installation_id: panel.installationId,
    metadata: panel.metadata,
    created_at: panel.createdAt.toISOString(),
    updated_at: panel.updatedAt.toISOString(),
  }
}

export type PanelRecord = ReturnType<typeof panelRecord>
