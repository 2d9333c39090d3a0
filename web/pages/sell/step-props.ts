import type { CatalogueShown, PriceShown, SaleStart } from '../../../src/api/console/sales.ts'
import type { Draft } from './draft.ts'
import type { Problems } from './problems.ts'

/** What every step is given. */
export interface StepProps {
  start: SaleStart
  catalogue: CatalogueShown
  draft: Draft
  change: (patch: Partial<Draft>) => void
  /** Of this step, once somebody wanted to go on. */
  problems: Problems
  /** What the server made of it so far. */
  priced: PriceShown | null
}
