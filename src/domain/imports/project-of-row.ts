import type { Equipment } from '../catalogue/equipment.ts'
import { listEquipment } from '../catalogue/queries.ts'
import { type Directory, ladderOf } from '../companies/directory.ts'
import type { Context } from '../context.ts'
import { DomainError } from '../domain-error.ts'
import { quotedName, type Stage, stageNames } from '../ladders/stage.ts'
import type { Lead } from '../leads/lead.ts'
import type { Sale } from '../projects/begin-project.ts'
import { firstStage } from '../projects/begin-project.ts'
import { contractSigned } from '../projects/contract-signed.ts'
import { describeSystem } from '../projects/describe-system.ts'
import { type Financing, financingTypes } from '../projects/project.ts'
import { amountOf, countOf, dayOf, numberOf, percentOf } from './cell-forms.ts'
import { type ImportField, projectFieldNames } from './fields.ts'
import { type RowProblem, type RowValues, refusal } from './row-values.ts'

export function saysProject(values: RowValues): boolean {
  return projectFieldNames.some((field) => values[field] !== undefined)
}

/** A row's contract, each value in the form it is kept in. */
export interface RowSale {
  texts: RowValues
  financing: Financing
  soldOn: string | null
  installDate: string | null
}

const amounts = ['contractPrice', 'monthlyPayment'] as const
const numbers = ['sizeKw', 'annualProductionKwh', 'annualConsumptionKwh'] as const
const counts = ['panelCount', 'inverterCount', 'batteryCount', 'termMonths', 'termYears'] as const
const days = ['soldOn', 'installDate'] as const
const longest = { lender: 200, stage: 200, projectNotes: 20_000, products: 20_000, adders: 20_000 } as const

/** What a row says about its project, and what of it cannot be read. */
export function readSale(values: RowValues): { sale: RowSale; problems: RowProblem[] } {
  const texts = { ...values }
  const problems: RowProblem[] = []
  const read = (
    fields: readonly ImportField[],
    form: (text: string) => string | number | null,
    message: string,
  ) => {
    for (const field of fields) {
      const text = texts[field]
      if (text === undefined) continue
      const value = form(text)
      if (value === null) problems.push(refusal(field, message))
      else texts[field] = String(value)
    }
  }
  read(amounts, (text) => amountOf(text), 'must be an amount such as 28500.00')
  read(numbers, numberOf, 'must be a number such as 8.4')
  read(counts, countOf, 'must be a whole number below 1000000')
  read(['aprPercent'], percentOf, 'must be a percentage such as 5.99')
  read(days, dayOf, 'must be a day such as 2026-01-31 or 1/31/2026')
  read(['financingType'], financingNamed, `must be one of ${financingTypes.join(', ')}`)
  for (const [field, most] of Object.entries(longest) as [keyof typeof longest, number][]) {
    if ((texts[field]?.length ?? 0) > most)
      problems.push(refusal(field, `must have at most ${most} characters`))
  }
  if (!texts.contractPrice) problems.push(refusal('contractPrice', 'is required for a project'))
  if (texts.batteryModel && !texts.batteryCount)
    problems.push(refusal('batteryCount', 'is required where there is a battery'))
  const sale = {
    texts,
    financing: financingOf(texts),
    soldOn: texts.soldOn ?? null,
    installDate: texts.installDate ?? null,
  }
  return { sale, problems }
}

function financingNamed(text: string): string | null {
  return financingTypes.find((type) => type === text.toLowerCase()) ?? null
}

function financingOf(texts: RowValues): Financing {
  const termMonths = texts.termMonths
    ? Number(texts.termMonths)
    : texts.termYears
      ? Number(texts.termYears) * 12
      : null
  const guessed = texts.aprPercent || termMonths !== null ? 'loan' : 'cash'
  return {
    type: financingTypes.find((type) => type === texts.financingType) ?? guessed,
    lender: texts.lender ?? null,
    amount: null,
    aprPercent: texts.aprPercent ?? null,
    termMonths,
    monthlyPayment: texts.monthlyPayment ?? null,
    dealerFeePercent: null,
  }
}

/** The catalogue by what people call its items. */
export type Models = (kind: Equipment['kind'], text: string) => string

export async function loadModels({ db, actor }: Pick<Context, 'db' | 'actor'>): Promise<Models> {
  const items: Equipment[] = JSON.parse(`[${await listEquipment(db, actor.installerId, null)}]`)
  const ids = new Map<string, string>()
  for (const { id, kind, manufacturer, model } of items) {
    for (const name of [id, model ?? '', `${manufacturer ?? ''} ${model ?? ''}`])
      ids.set(`${kind} ${name.trim().toLowerCase()}`, id)
  }
  // What is unknown stays as it is: the sale says that the catalogue does not have it.
  return (kind, text) => ids.get(`${kind} ${text.toLowerCase()}`) ?? text
}

/** The sale of a row's project and the stage it stands in, by the rules of every sale. */
export async function saleOf(
  ctx: Context,
  directory: Directory,
  lead: Lead,
  { texts, financing, soldOn }: RowSale,
  models: Models,
  columnOf: (field: ImportField) => string,
): Promise<{ sale: Sale; stage: Stage }> {
  const company = directory.companies.get(lead.companyId)!
  const signed = soldOn
    ? contractSigned(company, soldOn, ctx.now, columnOf('soldOn'))
    : { contractSignedAt: null, milestones: {} }
  const shared = {
    ...signed,
    contractPrice: texts.contractPrice!,
    financing,
    notes: texts.projectNotes ?? null,
  }
  if (lead.productLine === 'hi') {
    const products = named(texts.products).map((name) => ({ name, price: null }))
    return {
      sale: { ...shared, system: null, products },
      stage: hiStage(directory, lead, texts.stage, columnOf),
    }
  }
  const counted = (kind: Equipment['kind'], model: string | undefined, count: string | undefined) => ({
    id: model ? models(kind, model) : null,
    count: count ? Number(count) : null,
  })
  const batteries = counted('battery', texts.batteryModel, texts.batteryCount)
  const { system, stage } = await describeSystem(ctx.db, directory, {
    sizeKw: texts.sizeKw ?? null,
    annualProductionKwh: texts.annualProductionKwh ?? null,
    annualConsumptionKwh: texts.annualConsumptionKwh ?? null,
    pricePerWatt: { base: null, final: null },
    panels: counted('panel', texts.panelModel, texts.panelCount),
    inverters: counted('inverter', texts.inverterModel, texts.inverterCount),
    batteries: batteries.id === null ? null : { id: batteries.id, count: batteries.count ?? 1 },
    adders: named(texts.adders).map((idOrName) => ({ idOrName, quantity: null })),
    stage: texts.stage ?? null,
    fields: {
      panel: columnOf('panelModel'),
      inverter: columnOf('inverterModel'),
      battery: columnOf('batteryModel'),
      adders: columnOf('adders'),
      stage: columnOf('stage'),
    },
  })
  if (system.sizeKw === null)
    throw new DomainError(
      'invalid',
      `${columnOf('sizeKw')} is required, or the panel and how many there are.`,
    )
  return { sale: { ...shared, system, products: null }, stage }
}

function hiStage(
  directory: Directory,
  lead: Lead,
  name: string | undefined,
  columnOf: (field: ImportField) => string,
): Stage {
  if (name === undefined) return firstStage(lead, directory)
  const ladder = ladderOf(directory, 'hi')
  const stage = ladder.find((s) => s.name.toLowerCase() === name.toLowerCase())
  if (stage) return stage
  throw new DomainError(
    'invalid',
    `${columnOf('stage')}: there is no stage ${quotedName(name)} (there are: ${stageNames(ladder)}).`,
  )
}

/** "Roof; Gutters" */
function named(text: string | undefined): string[] {
  return (text ?? '')
    .split(';')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .slice(0, 100)
}
