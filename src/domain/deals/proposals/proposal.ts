import type { Adder } from '../../catalogue/adder.ts'
import type { Decimal } from '../../kernel/money.ts'
import { type Directory, installerOf } from '../../kernel/tenant/directory.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import type { SoldDeal } from '../changes/deal.ts'
import type { Financing, System } from '../projects/project.ts'
import { productionByMonth } from '../sale/describe-system.ts'
import { monthlyPaymentOf } from '../sale/price-items.ts'

/** An adder or product that the customer gets. */
export interface ProposedItem {
  name: string
  /** Not every sale says it. */
  unit: Adder['unit'] | null
  quantity: number | null
}

/** What the customer is shown of a sale: nothing that the company keeps to itself. */
export interface Proposal {
  productLine: ProductLine
  /** Who sold it. */
  company: string
  /** Who builds it, where that is another company. */
  installer: string | null
  firstName: string | null
  system: Pick<System, 'sizeKw' | 'panels' | 'inverters' | 'batteries'> | null
  items: ProposedItem[]
  price: Decimal | null
  financing: Omit<Financing, 'monthlyPayment' | 'dealerFeePercent'>
  monthlyPayment: Decimal | null
  annualKwh: Decimal | null
  /** From January on; null where nothing is produced, or it is not known how much. */
  monthlyKwh: number[] | null
}

export function proposalOf({ lead, project }: SoldDeal, directory: Directory): Proposal {
  const { system, financing } = project
  const { name: installer } = installerOf(directory)
  const company = directory.companies.get(project.companyId)?.name ?? installer
  const { monthlyPayment, dealerFeePercent, ...paid } = financing
  const annualKwh = system?.annualProductionKwh ?? null
  return {
    productLine: project.productLine,
    company,
    installer: project.companyId === project.installerId ? null : installer,
    firstName: lead.customer.firstName,
    system: system && {
      sizeKw: system.sizeKw,
      panels: system.panels,
      inverters: system.inverters,
      batteries: system.batteries,
    },
    items: [...(system?.adders ?? []), ...(project.products ?? [])]
      .filter(({ showOnProposal }) => showOnProposal !== false)
      .map(({ name, unit, quantity }) => ({ name, unit: unit ?? null, quantity: quantity ?? null })),
    price: project.contractPrice,
    financing: paid,
    monthlyPayment: monthlyPaymentOf(financing, annualKwh),
    annualKwh,
    monthlyKwh: annualKwh === null ? null : productionByMonth(annualKwh, lead.address),
  }
}
