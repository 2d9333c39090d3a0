import { createHash } from 'node:crypto'
import { Big } from 'big.js'
import type { Db } from '../../../platform/db.ts'
import { ChangedMeanwhile } from '../../kernel/changed-meanwhile.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { type Decimal, moneyInWords, numberInWords } from '../../kernel/money.ts'
import { authorize } from '../../kernel/policy.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'
import { commitChange, runChange } from '../changes/commit-change.ts'
import { findProjectDeal, type SoldDeal } from '../changes/deal.ts'
import type { Project, System } from '../projects/project.ts'
import { findChangedItems, type ItemsTerms } from './find-changed-items.ts'
import { type PricedItems, priceItems } from './price-items.ts'

/** Another one for each state of what the customer gets and for how much: by it somebody says what they have seen. */
export function itemsVersion({ system, products, contractPrice }: Project): string {
  const state = JSON.stringify([system, products, contractPrice])
  return createHash('sha256').update(state).digest('base64url').slice(0, 22)
}

export type Changes = Record<string, [from: unknown, to: unknown]>

/** What a project's system or products were and are, field by field in words; empty where nothing is another. */
function itemChanges(before: Project, after: Project): Changes {
  const [from, to] = [inWords(before), inWords(after)]
  return Object.fromEntries(
    Object.keys(to).flatMap((field) =>
      from[field] === to[field] ? [] : [[field, [from[field] ?? null, to[field] ?? null]]],
    ),
  )
}

/** As the feed says it: panels from 21 × Qcells Q.TRON 400 to 24 × Qcells Q.TRON 400. */
function sentenceOf(changes: Changes): string {
  const parts = Object.entries(changes).map(
    ([field, [from, to]]) => `${names[field] ?? field} from ${from ?? 'none'} to ${to ?? 'none'}`,
  )
  return `Project changed: ${parts.join('; ')}`
}

/** Whether they tell what something costs. */
function mentionPrices(changes: Changes): boolean {
  return ['system.pricePerWatt', 'system.adders', 'products', 'contractPrice'].some(
    (field) => field in changes,
  )
}

const names: Record<string, string> = {
  'system.sizeKw': 'size (kW)',
  'system.panels': 'panels',
  'system.inverters': 'inverters',
  'system.batteries': 'batteries',
  'system.annualProductionKwh': 'annual production (kWh)',
  'system.annualConsumptionKwh': 'annual consumption (kWh)',
  'system.pricePerWatt': 'price per watt',
  'system.adders': 'adders',
  contractPrice: 'contract price',
}

function inWords({ system, products, contractPrice }: Project): Record<string, string | null> {
  return {
    ...(system ? systemInWords(system) : {}),
    ...(products
      ? { products: listed(products.map(({ price, ...more }) => ({ ...more, total: price }))) }
      : {}),
    contractPrice: contractPrice && moneyInWords(contractPrice),
  }
}

function systemInWords(system: System): Record<string, string | null> {
  const { batteries, pricePerWatt } = system
  return {
    'system.sizeKw': number(system.sizeKw),
    'system.panels': counted(system.panels),
    'system.inverters': counted(system.inverters),
    'system.batteries': batteries && counted(batteries),
    'system.annualProductionKwh': number(system.annualProductionKwh),
    'system.annualConsumptionKwh': number(system.annualConsumptionKwh ?? null),
    'system.pricePerWatt': number(pricePerWatt.base),
    'system.adders': listed(system.adders),
  }
}

/** However many places it is written with. */
const number = (value: Decimal | null) => value && numberInWords(new Big(value).toFixed())

function counted(item: { count: number | null; manufacturer: string | null; model: string | null }): string {
  const name = [item.manufacturer, item.model].filter(Boolean).join(' ')
  return [item.count, name].filter((part) => part !== null && part !== '').join(' × ')
}

function listed(sold: readonly { name: string; quantity?: number; total: Decimal | null }[]): string | null {
  const lines = sold.map(({ name, quantity = 1, total }) =>
    [quantity === 1 ? name : `${name} × ${quantity}`, total && `(${moneyInWords(total)})`]
      .filter(Boolean)
      .join(' '),
  )
  return lines.toSorted().join(', ') || null
}

export interface ItemsChange extends ItemsTerms {
  /** Of the system without its adders. */
  perWatt: Decimal | null
  /** The contract's new price as the catalogue makes it, or null where the agreed one stays. */
  newPrice: Decimal | null
}

/** Works out what a changed system or other products come to. Nothing is written. */
export async function priceChangedItems(
  ctx: Context,
  key: string,
  terms: ItemsTerms & Pick<ItemsChange, 'perWatt'>,
): Promise<PricedItems> {
  const deal = await findOwn(ctx, ctx.db, key)
  const directory = await ctx.directories.current(ctx.db, ctx.actor.installerId)
  const items = await findChangedItems(ctx.db, directory, deal, terms)
  return priceItems(items, { perWatt: terms.perWatt, custom: null })
}

/**
 * Changes what a project's customer gets: the system or the products, at the prices of the catalogue. The contract
 * keeps its price or takes the one that this comes to. What is built already keeps its panels. Refused where it is no
 * longer what was seen, as its stamp says.
 */
export async function updateItems(
  ctx: Context,
  key: string,
  terms: ItemsChange,
  seen?: string,
): Promise<{ changed: boolean }> {
  return runChange(ctx, async (attempt) => {
    const before = await findOwn(ctx, attempt.db, key)
    const project = await changed(attempt.db, attempt.directory, before, terms)
    const changes = itemChanges(before.project, project)
    if (Object.keys(changes).length === 0) return { changed: false }
    if (seen !== undefined && seen !== itemsVersion(before.project)) throw new ChangedMeanwhile({})
    await commitChange(
      ctx,
      attempt,
      before,
      { ...before, project },
      {
        activities: [
          {
            type: 'leadUpdated',
            body: sentenceOf(changes),
            ...(mentionPrices(changes) ? { about: 'sale' } : {}),
          },
        ],
        events: [{ type: 'project.updated', subjectId: project.id, changes }],
      },
    )
    return { changed: true }
  })
}

async function findOwn(ctx: Context, db: Db, key: string): Promise<SoldDeal> {
  const deal = await findProjectDeal(db, scopeOf(ctx), key)
  if (!deal) throw notFound('project')
  authorize(ctx.actor, 'projects.change')
  return deal
}

async function changed(db: Db, directory: Directory, before: SoldDeal, terms: ItemsChange): Promise<Project> {
  const items = await findChangedItems(db, directory, before, terms)
  const agreed = terms.newPrice === null ? before.project.contractPrice : null
  const { system, products, computed } = priceItems(items, { perWatt: terms.perWatt, custom: agreed })
  if (terms.newPrice !== null) requirePrice(computed, terms.newPrice)
  const { contractPrice } = before.project
  return {
    ...before.project,
    // Where nobody says it, it is not worked out from a price that was agreed for something else.
    system: system && { ...system, pricePerWatt: { ...system.pricePerWatt, base: terms.perWatt } },
    products,
    contractPrice: terms.newPrice === null ? contractPrice : computed,
  }
}

/** The catalogue may have changed since somebody looked. */
function requirePrice(computed: Decimal | null, wanted: Decimal): void {
  if (computed !== null && new Big(computed).eq(wanted)) return
  throw new DomainError(
    'invalid',
    computed === null
      ? 'perWatt is required: without it there is no new price. Fill it in, or keep the contract’s price.'
      : `newPrice: by the catalogue it is now $${computed}, not $${wanted}. Look at the price again.`,
  )
}
