import type { Equipment } from '../domain/catalogue/equipment.ts'

type WithoutId<T> = T extends Equipment ? Omit<T, 'id'> : never
export type DemoEquipment = WithoutId<Equipment> & { active: boolean }
export type DemoPanel = Extract<DemoEquipment, { kind: 'panel' }>
export type DemoInverter = Extract<DemoEquipment, { kind: 'inverter' }>
export type DemoBattery = Extract<DemoEquipment, { kind: 'battery' }>

const panel = (manufacturer: string, model: string, watts: number, efficiency: string, years = 25) =>
  ({
    kind: 'panel',
    manufacturer,
    model,
    watts: String(watts),
    efficiencyPercent: efficiency,
    warrantyYears: years,
    default: false,
    active: true,
  }) satisfies DemoPanel

const inverter = (
  manufacturer: string,
  model: string,
  watts: number,
  efficiency: string,
  microinverter = false,
) =>
  ({
    kind: 'inverter',
    manufacturer,
    model,
    ratedOutputWatts: String(watts),
    efficiencyPercent: efficiency,
    microinverter,
    warrantyYears: microinverter ? 25 : 12,
    default: false,
    active: true,
  }) satisfies DemoInverter

const battery = (manufacturer: string, model: string, capacityKwh: string, watts: number) =>
  ({
    kind: 'battery',
    manufacturer,
    model,
    capacityKwh,
    continuousOutputWatts: String(watts),
    warrantyYears: 10,
    default: false,
    active: true,
  }) satisfies DemoBattery

const makers = [
  [
    { ...panel('Helianth', 'HX-410 Black', 410, '21.2'), default: true },
    panel('Helianth', 'HX-430 Black', 430, '22.1'),
    panel('Solmera', 'Terra 400', 400, '20.8'),
    panel('Solmera', 'Terra 425', 425, '21.7'),
    panel('Dayspring Modules', 'DS-395', 395, '20.4', 20),
    { ...panel('Dayspring Modules', 'DS-360', 360, '19.1', 20), active: false },
    { ...inverter('Lumenode', 'LN8 Micro', 366, '97.5', true), default: true },
    inverter('Lumenode', 'LN8+ Micro', 384, '97.6', true),
    inverter('Kestrel Power', 'KP 7600', 7_600, '98.2'),
    inverter('Kestrel Power', 'KP 10000', 10_000, '98.4'),
    inverter('Ohmara', 'Hybrid 8K', 8_000, '97.9'),
    { ...battery('Voltessa', 'Cellar 10', '10.1', 5_000), default: true },
    battery('Voltessa', 'Cellar 15', '15.2', 7_600),
    battery('Ohmara', 'Stack 13', '13.5', 5_800),
    { ...battery('Ohmara', 'Stack 9', '9.3', 4_200), active: false },
  ],
  [
    { ...panel('Solmera', 'Terra 425', 425, '21.7'), default: true },
    panel('Solmera', 'Terra 440', 440, '22.3'),
    panel('Northlight', 'Alpine 405', 405, '21.0', 30),
    panel('Northlight', 'Alpine 420', 420, '21.8', 30),
    panel('Helianth', 'HX-410 Black', 410, '21.2'),
    inverter('Lumenode', 'LN8+ Micro', 384, '97.6', true),
    { ...inverter('Kestrel Power', 'KP 7600', 7_600, '98.2'), default: true },
    inverter('Kestrel Power', 'KP 11400', 11_400, '98.5'),
    inverter('Ohmara', 'Hybrid 10K', 10_000, '98.0'),
    { ...inverter('Ohmara', 'String 5K', 5_000, '96.9'), active: false },
    { ...battery('Ohmara', 'Stack 13', '13.5', 5_800), default: true },
    battery('Ohmara', 'Stack 20', '20.2', 9_000),
    battery('Voltessa', 'Cellar 15', '15.2', 7_600),
  ],
] satisfies DemoEquipment[][]

/** What an installer builds with. */
export function equipmentOf(installer: number): DemoEquipment[] {
  return makers[installer === 0 ? 0 : 1]!
}
