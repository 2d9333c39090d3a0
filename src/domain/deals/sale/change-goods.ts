import { Big } from 'big.js'
import type { Db } from '../../../platform/db.ts'
import { ChangedMeanwhile } from '../../kernel/changed-meanwhile.ts'
import { type Context, reachOf } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import type { Decimal } from '../../kernel/money.ts'
import { authorize } from '../../kernel/policy.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'
import { change, commitChange } from '../changes/commit-change.ts'
import { findProjectDeal, type SoldDeal } from '../changes/deal.ts'
import type { Project } from '../projects/project.ts'
import { findChangedGoods, type GoodsTerms } from './changed-goods.ts'
import { goodsChanges, sentenceOf, tellPrices } from './goods-changes.ts'
import { goodsStamp } from './goods-stamp.ts'
import { type PricedGoods, priceGoods } from './price-goods.ts'

export interface ChangedGoods extends GoodsTerms {
  /** Of the system without its adders. */
  perWatt: Decimal | null
  /** The contract's new price as the catalogue makes it, or null where the agreed one stays. */
  newPrice: Decimal | null
}

/** Works out what a changed system or other products come to. Nothing is written. */
export async function priceChangedGoods(
  ctx: Context,
  key: string,
  terms: GoodsTerms & Pick<ChangedGoods, 'perWatt'>,
): Promise<PricedGoods> {
  const deal = await findOwn(ctx, ctx.db, key)
  const directory = await ctx.directories.current(ctx.db, ctx.actor.installerId)
  const goods = await findChangedGoods(ctx.db, directory, deal, terms)
  return priceGoods(goods, { perWatt: terms.perWatt, custom: null })
}

/**
 * Changes what a project's customer gets: the system or the products, at the prices of the catalogue. The contract
 * keeps its price or takes the one that this comes to. What is built already keeps its panels. Refused where it is no
 * longer what was seen, as its stamp says.
 */
export async function changeGoods(
  ctx: Context,
  key: string,
  terms: ChangedGoods,
  seen?: string,
): Promise<{ changed: boolean }> {
  return change(ctx, async (attempt) => {
    const before = await findOwn(ctx, attempt.db, key)
    const project = await changed(attempt.db, attempt.directory, before, terms)
    const changes = goodsChanges(before.project, project)
    if (Object.keys(changes).length === 0) return { changed: false }
    if (seen !== undefined && seen !== goodsStamp(before.project)) throw new ChangedMeanwhile({})
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
            ...(tellPrices(changes) ? { about: 'sale' } : {}),
          },
        ],
        events: [{ type: 'project.updated', subjectId: project.id, changes }],
      },
    )
    return { changed: true }
  })
}

async function findOwn(ctx: Context, db: Db, key: string): Promise<SoldDeal> {
  const deal = await findProjectDeal(db, reachOf(ctx), key)
  if (!deal) throw notFound('project')
  authorize(ctx.actor, 'projects.change')
  return deal
}

async function changed(
  db: Db,
  directory: Directory,
  before: SoldDeal,
  terms: ChangedGoods,
): Promise<Project> {
  const goods = await findChangedGoods(db, directory, before, terms)
  const agreed = terms.newPrice === null ? before.project.contractPrice : null
  const { system, products, computed } = priceGoods(goods, { perWatt: terms.perWatt, custom: agreed })
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
