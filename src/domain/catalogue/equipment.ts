import type { Decimal } from '../kernel/money.ts'

export const equipmentKinds = ['panel', 'inverter', 'battery'] as const
export type EquipmentKind = (typeof equipmentKinds)[number]

interface Described {
  id: string
  manufacturer: string
  model: string | null
  default: boolean
  warrantyYears: number | null
}

export type Equipment = Described &
  (
    | { kind: 'panel'; watts: Decimal; efficiencyPercent: Decimal | null }
    | {
        kind: 'inverter'
        ratedOutputWatts: Decimal | null
        efficiencyPercent: Decimal | null
        microinverter: boolean
      }
    | { kind: 'battery'; capacityKwh: Decimal | null; continuousOutputWatts: Decimal | null }
  )

const number = (value: Decimal | null) => (value === null ? null : Number(value))

/** Only the fields of its kind are there. */
export function renderEquipment(equipment: Equipment): string {
  const { id, kind, manufacturer, model, warrantyYears } = equipment
  const fields =
    kind === 'panel'
      ? { watts: Number(equipment.watts), efficiencyPercent: number(equipment.efficiencyPercent) }
      : kind === 'inverter'
        ? {
            ratedOutputWatts: number(equipment.ratedOutputWatts),
            efficiencyPercent: number(equipment.efficiencyPercent),
            microinverter: equipment.microinverter,
          }
        : {
            capacityKwh: number(equipment.capacityKwh),
            continuousOutputWatts: number(equipment.continuousOutputWatts),
          }
  return JSON.stringify({
    id,
    kind,
    manufacturer,
    model,
    default: equipment.default,
    ...fields,
    warrantyYears,
  })
}
