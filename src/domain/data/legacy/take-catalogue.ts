import { Big } from 'big.js'
import { addItem } from '../../catalogue/add-item.ts'
import { type Adder, productKinds, units } from '../../catalogue/adder.ts'
import { adderSection } from '../../catalogue/adder-section.ts'
import type { EquipmentKind } from '../../catalogue/equipment.ts'
import { equipmentSection } from '../../catalogue/equipment-section.ts'
import type { CatalogueItem, CatalogueSection } from '../../catalogue/section.ts'
import type { StoredAdder, StoredEquipment } from '../../catalogue/setting-queries.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { productLines } from '../../kernel/tenant/stage.ts'
import { countOf, numberOf } from '../imports/cell-forms.ts'
import { plainWords } from '../imports/field-labels.ts'
import { isObject, own, type Reading } from './answers.ts'

export interface CatalogueTaken {
  made: number
  /** Here by the same name: what is here stays as it is. */
  known: number
  refused: { name: string; message: string }[]
  /** Refused beyond those that are named. */
  moreRefused: number
}

const maxRefused = 100

/** Adds what the old server offers and is not here by its name. What it calls its fields nobody says: known names are tried. */
export async function takeCatalogue(
  ctx: Context,
  operation: string,
  items: readonly unknown[],
  dryRun: boolean,
): Promise<CatalogueTaken> {
  if (operation === 'fetch_all_adders') return takeItems(ctx, adderSection, items.map(adderOf), dryRun)
  const kind = operation === 'fetch_all_panel' ? 'panel' : 'inverter'
  return takeItems(
    ctx,
    equipmentSection,
    items.map((item) => equipmentOf(kind, item)),
    dryRun,
  )
}

type Offered<T> = { item: Partial<T> } | { name: string; message: string }

async function takeItems<T extends CatalogueItem>(
  ctx: Context,
  section: CatalogueSection<T>,
  offered: readonly Offered<T>[],
  dryRun: boolean,
): Promise<CatalogueTaken> {
  const taken: CatalogueTaken = { made: 0, known: 0, refused: [], moreRefused: 0 }
  const refuse = (name: string, message: string) => {
    if (taken.refused.length < maxRefused) taken.refused.push({ name, message })
    else taken.moreRefused++
  }
  const all = await section.list(ctx.db, ctx.actor.installerId)
  const here = new Set(all.map((one) => section.matchOf(one)))
  for (const one of offered) {
    if ('message' in one) {
      refuse(one.name, one.message)
      continue
    }
    const offer = { ...section.blank, ...one.item } as T
    // Nothing that is here changes by what comes: whoever has a default keeps it.
    const item = section.displacedBy(offer, all).length > 0 ? { ...offer, default: false } : offer
    if (here.has(section.matchOf(item))) {
      taken.known++
      continue
    }
    here.add(section.matchOf(item))
    try {
      const problems = section.problemsOf(item)
      if (problems.length > 0) throw new DomainError('invalid', problems.join('; '))
      if (!dryRun) await addItem(ctx, section, item)
      all.push({ ...item, id: section.matchOf(item) })
      taken.made++
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      refuse(section.nameOf(item), error.message)
    }
  }
  return taken
}

function textIn(item: Reading, ...names: string[]): string | null {
  for (const name of names) {
    const value = own(item, name)
    const said = typeof value === 'string' || typeof value === 'boolean' ? String(value) : ''
    const text = said.replace(/\p{Cc}+/gu, ' ').trim()
    if (text !== '' && text.length <= 200 && text.isWellFormed()) return text
  }
  return null
}

const nameless = { name: '(no name)', message: 'it has no name that is known' }
const isYes = (text: string | null) => text !== null && /^(true|yes|y|1)$/i.test(text)
const yearsIn = (item: Reading) => {
  const years = countOf(textIn(item, 'warrantyYears', 'warranty_years', 'warranty') ?? '')
  return years !== null && years <= 100 ? years : null
}
const decimalIn = (item: Reading, most: number, places: number, ...names: string[]) => {
  const number = numberOf(textIn(item, ...names)?.replace(/^\$\s*/, '') ?? '')
  return number !== null && Number(number) <= most ? new Big(number).round(places).toFixed() : null
}
/** Less than one is another unit, or nothing. */
const wattsIn = (item: Reading, most: number, ...names: string[]) => {
  const watts = decimalIn(item, most, 2, ...names)
  return watts !== null && Number(watts) >= 1 ? watts : null
}

function equipmentOf(kind: EquipmentKind & ('panel' | 'inverter'), item: unknown): Offered<StoredEquipment> {
  if (!isObject(item)) return nameless
  const model = textIn(item, 'model', 'modelNumber', 'model_number', `${kind}Model`, `${kind}_model`, 'name')
  const manufacturer = textIn(item, 'manufacturer', 'brand', 'make', 'company')
  if (manufacturer === null && model === null) return nameless
  const shared = {
    kind,
    // Without one, the whole name is in the model.
    manufacturer: manufacturer ?? model!,
    model: manufacturer === null ? null : model,
    default: isYes(textIn(item, 'default')),
    warrantyYears: yearsIn(item),
    efficiencyPercent: decimalIn(item, 100, 3, 'efficiencyPercent', 'efficiency'),
  }
  const made =
    kind === 'panel'
      ? { ...shared, watts: wattsIn(item, 100_000, 'watts', 'wattage', 'watt', 'power', 'size') }
      : {
          ...shared,
          ratedOutputWatts: wattsIn(item, 10_000_000, 'ratedOutputWatts', 'rated_output', 'watts', 'power'),
          microinverter: isYes(textIn(item, 'microinverter', 'micro_inverter', 'is_micro')),
        }
  return { item: made as Partial<StoredEquipment> }
}

function adderOf(item: unknown): Offered<StoredAdder> {
  if (!isObject(item)) return nameless
  const name = textIn(item, 'name', 'adderName', 'adder_name', 'product_name', 'title')
  if (name === null) return nameless
  const unitPrice = decimalIn(item, 999_999_999, 4, 'unitPrice', 'unit_price', 'price', 'cost', 'amount')
  if (unitPrice === null) return { name, message: 'it has no price that is known' }
  const named = <V extends string>(values: readonly V[], text: string | null) => {
    const wanted = plainWords(text ?? '').replaceAll(' ', '')
    return values.find((value) => value.toLowerCase() === wanted) ?? null
  }
  const unitText = textIn(item, 'unit', 'unitType', 'unit_type')
  const unit = named(units, unitText)
  if (unitText !== null && unit === null) return { name, message: `its unit is none of ${units.join(', ')}` }
  const adder: Partial<Adder> = {
    name,
    unitPrice,
    unit: unit ?? 'flat',
    description: textIn(item, 'description'),
    productLine: named(productLines, textIn(item, 'productLine', 'product_line')) ?? 'solar',
    productKind: named(productKinds, textIn(item, 'productKind', 'product_kind')),
    repSponsored: isYes(textIn(item, 'repSponsored', 'rep_sponsored')),
    showOnProposal: !/^(false|no|0)$/i.test(textIn(item, 'showOnProposal', 'show_on_proposal') ?? ''),
    brand: textIn(item, 'brand'),
    model: textIn(item, 'model'),
    warrantyYears: yearsIn(item),
  }
  return { item: adder }
}
