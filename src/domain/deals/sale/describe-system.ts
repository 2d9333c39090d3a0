import { Big } from 'big.js'
import type { Db } from '../../../platform/db.ts'
import { type Adder, unitPriceOf } from '../../catalogue/adder.ts'
import type { Equipment, EquipmentKind } from '../../catalogue/equipment.ts'
import { findAdders, findEquipment } from '../../catalogue/queries.ts'
import type { Address } from '../../kernel/contact.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import type { Decimal } from '../../kernel/money.ts'
import { type Directory, ladderOf } from '../../kernel/tenant/directory.ts'
import { quotedName, type Stage, stageNames } from '../../kernel/tenant/stage.ts'
import { countryNames, stateCodes } from '../leads/us-postal-words.ts'
import type { SoldAdder, System } from '../projects/project.ts'

interface Sun {
  latitude: number
  /** What a kW of panels makes in an average year on an average roof. */
  kwhPerKw: number
}

/** Where most people of a state live: its latitude, and what a kW makes there in a year. */
const states: Record<string, Sun> = table(`
  AL 33 1400, AK 61 900, AZ 33.4 1750, AR 35 1400, CA 35.5 1600, CO 39.7 1580, CT 41.6 1230, DC 38.9 1300,
  DE 39.2 1300, FL 27.8 1450, GA 33.5 1430, HI 21.3 1550, IA 41.8 1320, ID 43.6 1430, IL 41.2 1280, IN 39.9 1260,
  KS 38.4 1470, KY 38 1270, LA 30.3 1400, MA 42.3 1240, MD 39.2 1300, ME 44.1 1230, MI 42.6 1190, MN 45 1280,
  MO 38.6 1350, MS 32.3 1400, MT 46.4 1330, NC 35.6 1390, ND 47 1300, NE 41.1 1420, NH 43.1 1230, NJ 40.4 1280,
  NM 35.1 1760, NV 36.6 1720, NY 41.3 1220, OH 40.2 1190, OK 35.6 1480, OR 45 1180, PA 40.3 1220, PR 18.3 1550,
  RI 41.7 1250, SC 34 1420, SD 43.9 1370, TN 35.8 1330, TX 31 1480, UT 40.6 1580, VA 37.6 1340, VT 44.3 1180,
  WA 47.5 1060, WI 43.4 1230, WV 38.6 1210, WY 42.3 1500`)

const countries: Record<string, Sun> = table(`
  CA 45 1150, MX 20 1600, AU -33.5 1450, NZ -38 1350, GB 52 950, IE 53 900, DE 50.5 980, FR 46.5 1150, IT 43 1300,
  NL 52 950, BE 50.8 950, AT 48 1050, CH 47.2 1050, PL 52 1000, IN 20 1500, JP 35.5 1200`)

function table(text: string): Record<string, Sun> {
  return Object.fromEntries(
    text.split(',').map((entry) => {
      const [code, latitude, kwhPerKw] = entry.trim().split(/\s+/)
      return [code, { latitude: Number(latitude), kwhPerKw: Number(kwhPerKw) }]
    }),
  )
}

function sunAt({ state, country }: Address): Sun | null {
  const land = (country ?? '').toLowerCase().replace(/[^a-z]/g, '')
  if (land !== '' && !countryNames.has(land)) return countries[land.toUpperCase()] ?? null
  return states[stateCodes.get((state ?? '').toLowerCase()) ?? ''] ?? null
}

/** What a system of this size is likely to make in a year, in whole kWh; null where the place is not known. */
export function estimateProduction(sizeKw: Decimal, address: Address): Decimal | null {
  const sun = sunAt(address)
  return sun && new Big(sizeKw).times(sun.kwhPerKw).toFixed(0)
}

// In the middle of the United States: where the place is not known, the months still rise and fall.
const anyLatitude = 38
const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
// A roof leans towards the sun, which takes about this much off the latitude that its panels feel.
const leanDegrees = 12

/** A year's production by its months, January first, in whole kWh. */
export function productionByMonth(annualKwh: Decimal, address: Address): number[] {
  const latitude = sunAt(address)?.latitude ?? anyLatitude
  const felt = Math.sign(latitude) * Math.max(0, Math.abs(latitude) - leanDegrees)
  let day = 0
  const sun = monthDays.map((days) => {
    const middle = day + days / 2
    day += days
    return days * daylight(felt, middle)
  })
  const year = sun.reduce((sum, month) => sum + month)
  return sun.map((month) => Math.round((Number(annualKwh) * month) / year))
}

/** How much sun falls on level ground in a day, in parts of what falls where it stands still overhead. */
function daylight(latitude: number, dayOfYear: number): number {
  const radians = Math.PI / 180
  const declination = -23.44 * Math.cos(((dayOfYear + 10) / 365) * 2 * Math.PI) * radians
  const place = latitude * radians
  const setting = Math.acos(Math.min(1, Math.max(-1, -Math.tan(place) * Math.tan(declination))))
  return (
    setting * Math.sin(place) * Math.sin(declination) +
    Math.cos(place) * Math.cos(declination) * Math.sin(setting)
  )
}

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

/**
 * An adder as it is sold. Where the sale does not say how many, it is the system's own measure: its watts, its
 * panels, or one. The total is in whole cents.
 */
export function soldAdder(
  adder: Adder,
  quantity: number | null,
  { sizeKw, panels }: Pick<System, 'sizeKw' | 'panels'>,
): SoldAdder {
  const { name, unit, showOnProposal, repSponsored } = adder
  const measure: Partial<Record<Adder['unit'], number | null>> = {
    perWatt: sizeKw === null ? null : new Big(sizeKw).times(1000).toNumber(),
    perPanel: panels.count,
  }
  const sold = quantity ?? (unit in measure ? measure[unit]! : 1)
  const offered = { unit, unitPrice: unitPriceOf(adder, sold ?? 1), showOnProposal, repSponsored }
  const total = sold === null ? null : new Big(offered.unitPrice).times(sold).toFixed(2)
  return { name, quantity: sold ?? 1, total, ...offered }
}
