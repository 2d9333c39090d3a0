import type { Equipment } from '../../catalogue/equipment.ts'
import {
  type Financing,
  financingTypes,
  type SoldProduct,
  type System,
} from '../../deals/projects/project.ts'
import type { Decimal } from '../../kernel/money.ts'
import { type Directory, ladderOf } from '../../kernel/tenant/directory.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import { amountOf, countOf, dayOf, numberOf, percentOf } from '../imports/cell-forms.ts'
import { financingLabels, plainWords, valueNamed } from '../imports/field-labels.ts'
import { isObject, own } from './answers.ts'
import { memberCalled } from './customer-of-reading.ts'
import type { Reader } from './reader.ts'

/** What a reading says of a project, each field apart; what it does not say is not there. */
export interface LegacyProject {
  stageId: string
  contractPrice: Decimal | null
  /** Days. */
  contractSignedOn: string | null
  soldOn: string | null
  financing: Financing
  system: System
  products: SoldProduct[]
  siteSurveyorId: string | null
  subcontractorId: string | null
}

export interface ReadingRules {
  /** What a plain number of the term counts. */
  termUnit: 'months' | 'years'
  /** What the catalogue here offers. */
  equipment: readonly Equipment[]
}

const anAmount = 'an amount such as 12,345.67'
const aNumber = 'a number such as 8.4'
const aDay = 'a date such as 01/31/2026'
const latest = '2100-01-01'

export function projectOf(
  reader: Reader,
  directory: Directory,
  line: ProductLine,
  rules: ReadingRules,
): Partial<LegacyProject> {
  const { installerId } = directory
  const day = (field: string) => {
    const text = reader.formed(field, dayOf, aDay)
    if (!text || (text >= '2000-01-01' && text < latest)) return text
    reader.leaveOut(field, 'it is not a day from the year 2000 on')
    return undefined
  }
  return {
    stageId: stageOf(reader, directory, line),
    contractPrice: reader.formed('contractPrice', (text) => amountOf(text), anAmount),
    contractSignedOn: day('contractSignedDate'),
    soldOn: day('submittedDate'),
    financing: financingOf(reader, rules),
    ...(line === 'solar' ? { system: systemOf(reader, rules) } : { products: productsOf(reader) }),
    siteSurveyorId: memberCalled(reader, directory, installerId, 'siteSurveyorName'),
    subcontractorId: memberCalled(reader, directory, installerId, 'subContractorName'),
  } as Partial<LegacyProject>
}

function stageOf(reader: Reader, directory: Directory, line: ProductLine): string | undefined {
  const name = reader.text('projectStatus')
  if (!name) return undefined
  const ladder = ladderOf(directory, line)
  const wanted = plainWords(name)
  const stage = ladder.find((one) => plainWords(one.name) === wanted)
  if (stage) return stage.id
  const kind = line === 'hi' ? 'home-improvement' : 'solar'
  reader.leaveOut('projectStatus', `the ${kind} ladder has no stage “${name}”`)
  return undefined
}

function financingOf(reader: Reader, { termUnit }: ReadingRules): Financing {
  const amount = (field: string) => reader.formed(field, (text) => amountOf(text), anAmount) ?? null
  const percent = (field: string) => reader.formed(field, percentOf, 'a percentage such as 5.99') ?? null
  const term = reader.formed('financeTerm', (text) => monthsOf(text, termUnit), 'a number of months or years')
  const aprPercent = percent('financeAPR')
  const said = reader.formed(
    'financeType',
    (text) => valueNamed(financingLabels, text),
    'cash, loan, lease or PPA',
  )
  const guessed = aprPercent !== null || typeof term === 'number' ? 'loan' : 'cash'
  return {
    type: financingTypes.find((type) => type === said) ?? guessed,
    lender: reader.text('financeCompany') ?? null,
    amount: amount('financeAmount'),
    aprPercent,
    termMonths: term ?? null,
    monthlyPayment: amount('monthlyPayment'),
    dealerFeePercent: percent('financeDealerFee'),
  }
}

function monthsOf(text: string, unit: ReadingRules['termUnit']): number | null {
  const found = /^(\d{1,4})(?:\.0+)?\s*(y|m)?[a-z.]*$/i.exec(text)
  if (!found) return null
  const years = found[2] ? found[2].toLowerCase() === 'y' : unit === 'years'
  return Number(found[1]) * (years ? 12 : 1)
}

function systemOf(reader: Reader, { equipment }: ReadingRules): System {
  const number = (field: string) => reader.formed(field, numberOf, aNumber) ?? null
  const count = (field: string) => reader.formed(field, countOf, 'a whole number below 1,000,000') ?? null
  const offered = <K extends Equipment['kind']>(kind: K, text: string | null) => {
    const wanted = plainWords(text ?? '')
    const isIt = ({ manufacturer, model }: Equipment) =>
      [model ?? '', `${manufacturer} ${model ?? ''}`].some((name) => plainWords(name) === wanted)
    const found = equipment.filter((one): one is Equipment & { kind: K } => one.kind === kind && isIt(one))
    return wanted !== '' && found.length === 1 ? found[0]! : null
  }
  const panelText = reader.text('panelModel') ?? null
  const panel = offered('panel', panelText)
  const inverterText = reader.text('inverterName') ?? null
  const inverter = offered('inverter', inverterText)
  const batteryText = reader.text('batteryName') ?? null
  const battery = offered('battery', batteryText)
  const batteries = count('numberOfBattery')
  return {
    sizeKw: number('systemSize'),
    annualProductionKwh: number('estProduction'),
    panels: {
      count: count('numberOfPanel'),
      manufacturer: panel?.manufacturer ?? null,
      model: panel?.model ?? panelText,
    },
    inverters: {
      count: count('numberOfInverter'),
      manufacturer: inverter?.manufacturer ?? null,
      model: inverter?.model ?? null,
      name: inverterText,
      microinverter: inverter?.microinverter ?? false,
    },
    batteries:
      batteryText === null && !batteries
        ? null
        : {
            count: batteries,
            manufacturer: battery?.manufacturer ?? null,
            model: battery ? battery.model : batteryText,
            capacityKwh: battery?.capacityKwh == null ? null : String(battery.capacityKwh),
          },
    pricePerWatt: { base: number('basePPW'), final: number('finalPPW') },
    adders: addersOf(reader),
  }
}

const maxItems = 100

function itemsOf(reader: Reader, field: string): unknown[] {
  const value = reader.value(field)
  if (value === undefined || value === null || value === '') return []
  const items = Array.isArray(value) ? value : [value]
  if (items.length > maxItems) reader.leaveOut(field, `of more than ${maxItems} only the first are kept`)
  return items.slice(0, maxItems)
}

function nameOf(reader: Reader, field: string, value: unknown): string | null {
  const name = typeof value === 'string' ? value.trim() : ''
  if (name !== '' && name.length <= 200 && !name.includes('\0') && name.isWellFormed()) return name
  reader.leaveOut(field, 'one has no name of 1 to 200 characters')
  return null
}

/** Only what all of them cost is told: of a single one that is its own price. */
function addersOf(reader: Reader): System['adders'] {
  const names = itemsOf(reader, 'adders').flatMap((item) => {
    return nameOf(reader, 'adders', isObject(item) ? own(item, 'name') : item) ?? []
  })
  const cost = reader.formed('addersCost', (text) => amountOf(text), anAmount) ?? null
  const known = cost !== null && (names.length === 1 || Number(cost) === 0)
  return names.map((name) => ({ name, quantity: 1, total: known ? cost : null }))
}

function productsOf(reader: Reader): SoldProduct[] {
  return itemsOf(reader, 'Products').flatMap((item) => {
    const name = nameOf(reader, 'Products', isObject(item) ? own(item, 'product_name') : item)
    if (name === null) return []
    const said = isObject(item) ? own(item, 'product_cost') : null
    const price = typeof said === 'string' && said.trim() !== '' ? amountOf(said.trim()) : null
    if (price === null && said !== null && said !== undefined && said !== '')
      reader.leaveOut('Products', `the price of one is not ${anAmount}`)
    return [{ name, price }]
  })
}
