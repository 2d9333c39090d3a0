import type { CatalogueResponse, PriceResponse } from '../../src/api/console/sales.ts'

export interface Chosen {
  id: string
  /** As typed; empty stands for what is suggested. */
  count: string
}

/** A system or products as far as they are filled in, in the words that were typed. */
export interface ItemsDraft {
  panels: Chosen
  inverters: Chosen
  /** Without an id there is none. */
  batteries: Chosen
  production: string
  consumption: string
  /** The quantities of the adders or products that are chosen, by their ids. */
  quantities: Record<string, string>
}

export type Line = 'solar' | 'hi'

/** What is wrong, by field; the quantity of an adder or product by its id. */
export type Problems = Record<string, string>

/** What the fields are given. */
export interface ItemsProps {
  line: Line
  catalogue: CatalogueResponse
  draft: ItemsDraft
  change: (patch: Partial<ItemsDraft>) => void
  /** Once somebody wanted to go on. */
  problems: Problems
  /** What the server made of it so far. */
  priced: PriceResponse | null
}
