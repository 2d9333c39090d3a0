import type { Equipment } from '../../catalogue/equipment.ts'
import { findAdders, listEquipment } from '../../catalogue/queries.ts'
import type { Lead } from '../../deals/leads/lead.ts'
import { describeSystem } from '../../deals/sale/describe-system.ts'
import type { Sale } from '../../deals/sale/sell-lead.ts'
import { contractSigned, firstStage } from '../../deals/sale/sell-lead.ts'
import type { Context } from '../../kernel/context.ts'
import { dayIn } from '../../kernel/days.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { type Directory, ladderOf } from '../../kernel/tenant/directory.ts'
import type { Stage } from '../../kernel/tenant/stage.ts'
import { plainWords } from './field-labels.ts'
import type { ImportField } from './fields.ts'
import type { RowSale } from './project-of-row.ts'
import { leftOut, quoted, type RowProblem } from './row-values.ts'

/** What the installer offers, by what people call it. Null where it does not. */
export interface Models {
  equipment: (kind: Equipment['kind'], text: string) => string | null
  adder: (text: string) => string | null
}

export const noModels: Models = { equipment: () => null, adder: () => null }

export async function loadModels({ db, actor }: Pick<Context, 'db' | 'actor'>): Promise<Models> {
  const items: Equipment[] = JSON.parse(
    `[${await listEquipment(db, { installerId: actor.installerId, kind: null })}]`,
  )
  const ids = new Map<string, string>()
  for (const { id, kind, manufacturer, model } of items) {
    for (const name of [id, model ?? '', `${manufacturer ?? ''} ${model ?? ''}`])
      ids.set(`${kind} ${plainWords(name)}`, id)
  }
  const adders = new Map<string, string>()
  for (const { id, name } of await findAdders(db, { installerId: actor.installerId, productLine: 'solar' })) {
    adders.set(plainWords(id), id)
    if (!adders.has(plainWords(name))) adders.set(plainWords(name), id)
  }
  return {
    equipment: (kind, text) => ids.get(`${kind} ${plainWords(text)}`) ?? null,
    adder: (text) => adders.get(plainWords(text)) ?? null,
  }
}

export interface SaleMade {
  sale: Sale
  stage: Stage
  /** What of the row was left out. */
  problems: RowProblem[]
}

/** The sale of a row's project and the stage it stands in, by the rules of every sale. */
export async function saleOf(
  ctx: Context,
  directory: Directory,
  lead: Lead,
  row: RowSale,
  models: Models,
  columnOf: (field: ImportField) => string,
): Promise<SaleMade> {
  const { texts, financing } = row
  const problems: RowProblem[] = []
  const leave = (field: ImportField, reason: string) => problems.push(leftOut(field, reason))
  const company = directory.companies.get(lead.companyId)!
  const hasCome =
    row.soldOn !== null && row.soldOn <= dayIn(company.timezone, ctx.now) && row.soldOn >= '2000-01-01'
  if (row.soldOn !== null && !hasCome) leave('soldOn', `${row.soldOn} is not a past date, 2000 or later`)
  const signed =
    row.soldOn !== null && hasCome
      ? contractSigned(company, row.soldOn, ctx.now, columnOf('soldOn'))
      : { contractSignedAt: null, milestones: {} }
  const shared = {
    ...signed,
    contractPrice: texts.contractPrice!,
    financing,
    notes: texts.projectNotes ?? null,
  }
  const stage = stageOf(directory, lead, texts.stage, leave)
  if (lead.productLine === 'hi') {
    const products = named(texts.products).map((name) => ({ name, price: null }))
    return { sale: { ...shared, system: null, products }, stage, problems }
  }
  const offered = (kind: Equipment['kind'], field: ImportField) => {
    const text = texts[field]
    const id = text === undefined ? null : models.equipment(kind, text)
    if (text !== undefined && id === null) leave(field, `the catalogue has no ${kind} ${quoted(text)}`)
    return id
  }
  const count = (text: string | undefined) => (text ? Number(text) : null)
  const battery = offered('battery', 'batteryModel')
  const adders = named(texts.adders).flatMap((name) => {
    const id = models.adder(name)
    if (id === null) leave('adders', `the catalogue has no adder ${quoted(name)}`)
    return id === null ? [] : [{ idOrName: id, quantity: null }]
  })
  const { system } = await describeSystem(ctx.db, directory, {
    sizeKw: texts.sizeKw ?? null,
    annualProductionKwh: texts.annualProductionKwh ?? null,
    annualConsumptionKwh: texts.annualConsumptionKwh ?? null,
    pricePerWatt: { base: null, final: null },
    panels: { id: offered('panel', 'panelModel'), count: count(texts.panelCount) },
    inverters: { id: offered('inverter', 'inverterModel'), count: count(texts.inverterCount) },
    batteries: battery === null ? null : { id: battery, count: count(texts.batteryCount) ?? 1 },
    adders,
    stage: stage.name,
    fields: {
      panel: columnOf('panelModel'),
      inverter: columnOf('inverterModel'),
      battery: columnOf('batteryModel'),
      adders: columnOf('adders'),
      stage: columnOf('stage'),
    },
  })
  if (system.sizeKw === null) {
    const unknown = problems.map(({ field, message }) => `${columnOf(field!)}: ${message}`)
    throw new DomainError(
      'invalid',
      [`${columnOf('sizeKw')} is required, or the panel and how many there are`, ...unknown]
        .join('; ')
        .concat('.'),
    )
  }
  return { sale: { ...shared, system, products: null }, stage, problems }
}

/** The stage that a row names, else the first. */
function stageOf(
  directory: Directory,
  lead: Lead,
  name: string | undefined,
  leave: (field: ImportField, reason: string) => void,
): Stage {
  const first = firstStage(lead, directory)
  if (name === undefined) return first
  const ladder = ladderOf(directory, lead.productLine)
  const wanted = plainWords(name)
  const stage = ladder.find((one) => plainWords(one.name) === wanted)
  if (stage) return stage
  const names = ladder.map((one) => quoted(one.name)).join(', ')
  leave('stage', `there is no stage ${quoted(name)} (there are ${names}), so it begins in ${first.name}`)
  return first
}

/** "Roof; Gutters" */
function named(text: string | undefined): string[] {
  return (text ?? '')
    .split(';')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .slice(0, 100)
}
