import type { Decimal } from '../../kernel/money.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'
import type { ProductLine, Stage } from '../../kernel/tenant/stage.ts'
import type { CardRow } from './board-queries.ts'

/** A project as it stands on the board. */
export interface Card {
  id: string
  leadId: string
  stageId: string
  productLine: ProductLine
  customer: string | null
  city: string | null
  sizeKw: Decimal | null
  products: string[]
  price: Decimal | null
  rep: string | null
  /** The dealer that sold it; null where the installer did. */
  dealer: string | null
  enteredAt: Date | null
  /** Whole days in its stage. */
  days: number | null
  late: boolean
  installDay: string | null
}

const dayMs = 86_400_000

/** Whoever entered the stage before this time is late; null where it has no time limit. */
export function lateBefore({ daysAllowed }: Pick<Stage, 'daysAllowed'>, now: Date): Date | null {
  return daysAllowed === null ? null : new Date(now.getTime() - daysAllowed * dayMs)
}

/** How many days a project is over the time that its stage allows, begun ones counted. */
export function daysLate({ enteredAt }: Pick<Card, 'enteredAt'>, stage: Stage, now: Date): number {
  const limit = lateBefore(stage, now)
  if (!enteredAt || !limit) return 0
  return Math.max(0, Math.ceil((limit.getTime() - enteredAt.getTime()) / dayMs))
}

export function cardFrom(row: CardRow, directory: Directory, now: Date): Card {
  const enteredAt = row.enteredAt === null ? null : new Date(row.enteredAt)
  const limit = lateBefore(directory.stages.get(row.stageId) ?? { daysAllowed: null }, now)
  const company = directory.companies.get(row.companyId)
  return {
    id: row.id,
    leadId: row.leadId,
    stageId: row.stageId,
    productLine: row.productLine,
    customer: [row.firstName, row.lastName].filter(Boolean).join(' ') || null,
    city: row.city,
    sizeKw: row.sizeKw,
    products: row.products ?? [],
    price: row.price,
    rep: (row.salesRepId && directory.members.get(row.salesRepId)?.name) || null,
    dealer: company?.kind === 'dealer' ? company.name : null,
    enteredAt,
    days: enteredAt && Math.max(0, Math.floor((now.getTime() - enteredAt.getTime()) / dayMs)),
    late: enteredAt !== null && limit !== null && enteredAt < limit,
    installDay: row.installDay,
  }
}
