import type { CatalogueResponse, SaleStart } from '../../../src/api/console/sales.ts'
import type { ItemsDraft } from '../../items/items-draft.ts'

export type Step = 'system' | 'products' | 'price' | 'financing' | 'contract' | 'review'
export type FinancingType = 'cash' | 'loan' | 'lease' | 'ppa'

/** A sale as far as it is filled in, in the words that were typed. */
export interface Draft extends ItemsDraft {
  step: Step
  perWatt: string
  custom: string
  financing: FinancingType
  lender: string
  amount: string
  apr: string
  years: string
  payment: string
  dealerFee: string
  rate: string
  escalator: string
  signedOn: string
  notes: string
}

export const stepsOf = ({ productLine }: SaleStart): readonly Step[] => [
  productLine === 'solar' ? 'system' : 'products',
  'price',
  'financing',
  'contract',
  'review',
]

/** The one that is usually sold. */
export const usual = (items: readonly { id: string; default: boolean }[]) =>
  (items.find((item) => item.default) ?? items[0])?.id ?? ''

export function newDraft(start: SaleStart, { panels, inverters }: CatalogueResponse): Draft {
  return {
    step: stepsOf(start)[0]!,
    panels: { id: usual(panels), count: '' },
    inverters: { id: usual(inverters), count: '' },
    batteries: { id: '', count: '1' },
    production: '',
    consumption: '',
    quantities: {},
    perWatt: '',
    custom: '',
    financing: 'cash',
    lender: '',
    amount: '',
    apr: '',
    years: '',
    payment: '',
    dealerFee: '',
    rate: '',
    escalator: '',
    signedOn: start.today,
    notes: '',
  }
}

const keyOf = (leadId: string) => `sunstead-sale-${leadId}`

/** What was filled in before, without what the catalogue has no more. */
export function keptDraft(start: SaleStart, catalogue: CatalogueResponse): Draft | null {
  const fresh = newDraft(start, catalogue)
  try {
    const kept: Draft = { ...fresh, ...JSON.parse(sessionStorage.getItem(keyOf(start.leadId)) ?? '') }
    const known = (items: readonly { id: string }[], id: string) => items.some((item) => item.id === id)
    if (!known(catalogue.panels, kept.panels.id)) kept.panels = fresh.panels
    if (!known(catalogue.inverters, kept.inverters.id)) kept.inverters = fresh.inverters
    if (!known(catalogue.batteries, kept.batteries.id)) kept.batteries = fresh.batteries
    kept.quantities = Object.fromEntries(
      Object.entries(kept.quantities).filter(([id]) => known(catalogue.adders, id)),
    )
    return stepsOf(start).includes(kept.step) ? kept : null
  } catch {
    return null
  }
}

export function keepDraft(leadId: string, draft: Draft): void {
  sessionStorage.setItem(keyOf(leadId), JSON.stringify(draft))
}

export function forgetDraft(leadId: string): void {
  sessionStorage.removeItem(keyOf(leadId))
}
