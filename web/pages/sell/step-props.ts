import type { SaleStart } from '../../../src/api/console/sales.ts'
import type { ItemsProps } from '../../items/items-draft.ts'
import type { Draft } from './draft.ts'

/** What every step is given; its problems are those of this step. */
export interface StepProps extends ItemsProps {
  start: SaleStart
  draft: Draft
  change: (patch: Partial<Draft>) => void
}
