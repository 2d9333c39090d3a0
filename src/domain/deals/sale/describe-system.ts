import { Big } from 'big.js'
import type { Db } from '../../../platform/db.ts'
import type { Equipment, EquipmentKind } from '../../catalogue/equipment.ts'
import { findAdders, findEquipment } from '../../catalogue/queries.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import type { Decimal } from '../../kernel/money.ts'
import { type Directory, ladderOf } from '../../kernel/tenant/directory.ts'
import { quotedName, type Stage, stageNames } from '../../kernel/tenant/stage.ts'
import type { System } from '../projects/project.ts'
import { soldAdder } from './sold-adder.ts'

/**
 * A solar system as a sale describes it: by what the installer's catalogue and ladder have. Where its size is
 * null, it is that of its panels.
 */
export interface DescribedSystem
  extends Pick<System, 'sizeKw' | 'annualProductionKwh' | 'annualConsumptionKwh' | 'pricePerWatt'> {
  panels: { id: string | null; count: number | null }
  inverters: { id: string | null; count: number | null }
  batteries: { id: string; count: number } | null
  /** Adders by id or name; without a quantity, by the system's own measure. */
  adders: { idOrName: string; quantity: number | null }[]
  /** The first of the ladder where absent. */
  stage: string | null
  /** How the caller names these, for the message that says which of them is unknown. */
  fields: Record<'panel' | 'inverter' | 'battery' | 'adders' | 'stage', string>
}

/** The system and the stage that are meant. Everything that is not there is named in one message. */
export async function describeSystem(
  db: Db,
  directory: Directory,
  described: DescribedSystem,
): Promise<{ system: System; stage: Stage }> {
  const { installerId } = directory
  const { panels, inverters, batteries, adders, fields } = described
  const problems: string[] = []
  const ids = [panels.id, inverters.id, batteries?.id ?? null].filter((id) => id !== null)
  const found = ids.length > 0 ? await findEquipment(db, { installerId, ids }) : []
  const equipment = <K extends EquipmentKind>(kind: K, id: string | null, field: string) => {
    const item = found.find((e): e is Equipment & { kind: K } => e.id === id && e.kind === kind)
    if (id !== null && !item) problems.push(`${field}: there is no active ${kind} "${id}" in the catalogue`)
    return item ?? null
  }
  const panel = equipment('panel', panels.id, fields.panel)
  const inverter = equipment('inverter', inverters.id, fields.inverter)
  const battery = equipment('battery', batteries?.id ?? null, fields.battery)

  const offered = adders.length > 0 ? await findAdders(db, { installerId, productLine: 'solar' }) : []
  const sizeKw = described.sizeKw ?? sizeOf(panel, panels.count)
  const measured = { sizeKw, panels: { ...named(panel), count: panels.count } }
  const sold = adders.flatMap(({ idOrName, quantity }) => {
    const name = idOrName.toLowerCase()
    const adder = offered.find((a) => a.id === idOrName) ?? offered.find((a) => a.name.toLowerCase() === name)
    if (adder) return [soldAdder(adder, quantity, measured)]
    problems.push(`${fields.adders}: there is no active solar adder "${idOrName}" in the catalogue`)
    return []
  })

  const ladder = ladderOf(directory, 'solar')
  const stageName = described.stage?.toLowerCase()
  const stage = stageName === undefined ? ladder[0] : ladder.find((s) => s.name.toLowerCase() === stageName)
  if (!stage) {
    const wanted = quotedName(described.stage ?? '')
    problems.push(`${fields.stage}: there is no stage ${wanted} (there are: ${stageNames(ladder)})`)
  }
  if (problems.length > 0 || !stage) throw new DomainError('invalid', `${problems.join('; ')}.`)
  return {
    stage,
    system: {
      sizeKw,
      annualProductionKwh: described.annualProductionKwh,
      annualConsumptionKwh: described.annualConsumptionKwh ?? null,
      panels: measured.panels,
      inverters: {
        ...named(inverter),
        count: inverters.count,
        name: inverter && [inverter.manufacturer, inverter.model].filter(Boolean).join(' '),
        microinverter: inverter?.microinverter ?? false,
      },
      batteries: battery && {
        ...named(battery),
        count: batteries!.count,
        capacityKwh: battery.capacityKwh,
      },
      pricePerWatt: described.pricePerWatt,
      adders: sold,
    },
  }
}

function sizeOf(panel: (Equipment & { kind: 'panel' }) | null, count: number | null): Decimal | null {
  return panel && count !== null ? new Big(panel.watts).times(count).div(1000).toFixed() : null
}

function named(item: Equipment | null) {
  return { manufacturer: item?.manufacturer ?? null, model: item?.model ?? null }
}
