import type { ItemsBody } from '../../../src/api/console/project-item-requests.ts'
import type { CatalogueResponse } from '../../../src/api/console/sales.ts'
import type { ItemsDraft, Problems } from '../../items/items-draft.ts'
import { equipmentFields, itemsProblems } from '../../items/items-problems.ts'
import { chosenEquipment, chosenItems } from '../../items/items-terms.ts'
import { isNumberOrEmpty, typedNumber } from '../../items/typed-number.ts'
import { sell as texts } from '../../texts/en/sell.ts'
import type { ProjectResponse } from '../project/use-project.ts'
import { asSold, batteryOf, inverterOf, keptId, keptName, offeredAs, panelOf, soldLines } from './as-sold.ts'

export interface Draft extends ItemsDraft {
  perWatt: string
  /** The contract takes the price that this comes to. */
  takesPrice: boolean
}

/** What was sold, in the words of the form. `offered` is the catalogue alone. */
export function draftOf(project: ProjectResponse, offered: CatalogueResponse): Draft {
  const { system } = project
  const quantities = Object.fromEntries(
    soldLines(project).map((line) => {
      const found = offeredAs(line, project, offered)
      return found ? [found.item.id, found.quantity] : [keptId(line.name), '']
    }),
  )
  const count = (of: number | null | undefined) => (of ? String(of) : '')
  return {
    panels: { id: (system && panelOf(system, offered)?.id) ?? asSold, count: count(system?.panels.count) },
    inverters: {
      id: (system && inverterOf(system, offered)?.id) ?? asSold,
      count: count(system?.inverters.count),
    },
    batteries: system?.batteries
      ? { id: batteryOf(system, offered)?.id ?? asSold, count: count(system.batteries.count) }
      : { id: '', count: '1' },
    production: '',
    consumption: system?.annualConsumptionKwh ?? '',
    quantities,
    perWatt: system?.pricePerWatt.base ?? '',
    takesPrice: false,
  }
}

/** Without what is to be chosen no more, and with something chosen where there is nothing of the sale. */
export function fitting(draft: Draft, catalogue: CatalogueResponse): Draft {
  const known = (items: readonly { id: string }[], id: string) => items.some((item) => item.id === id)
  const chosen = <T extends { id: string }>(items: readonly { id: string }[], one: T): T =>
    known(items, one.id) ? one : { ...one, id: items[0]?.id ?? '' }
  return {
    ...draft,
    panels: chosen(catalogue.panels, draft.panels),
    inverters: chosen(catalogue.inverters, draft.inverters),
    batteries: known(catalogue.batteries, draft.batteries.id)
      ? draft.batteries
      : { ...draft.batteries, id: '' },
    quantities: Object.fromEntries(
      Object.entries(draft.quantities).filter(([id]) => known(catalogue.adders, id)),
    ),
  }
}

export function problemsOf(draft: Draft, project: ProjectResponse, catalogue: CatalogueResponse): Problems {
  const problems = itemsProblems(draft, project.productLine, catalogue)
  if (!isNumberOrEmpty(draft.perWatt, 4)) problems['perWatt'] = texts.problems.money
  return problems
}

/** What the server prices and takes: as far as it is filled in rightly. Null where that is not enough. */
export function itemsBody(
  draft: Draft,
  project: ProjectResponse,
  catalogue: CatalogueResponse,
): Omit<ItemsBody, 'newPrice'> | null {
  const problems = problemsOf(draft, project, catalogue)
  const all = chosenItems(draft, project.productLine, catalogue)
  const kept = all.flatMap(({ id }) => keptName(id) ?? [])
  const chosen = all.filter(({ id }) => keptName(id) === null)
  if (!project.system) {
    if (all.length === 0) return null
    return { products: chosen.map(({ id, quantity }) => ({ id, quantity: quantity ?? 1 })), kept }
  }
  if ([...equipmentFields, 'perWatt'].some((field) => field in problems)) return null
  const { panels, inverters, batteries, ...rest } = chosenEquipment(draft, catalogue)
  const orSold = ({ id, count }: { id: string; count: number }) => ({ id: id === asSold ? null : id, count })
  return {
    system: {
      panels: orSold(panels),
      inverters: orSold(inverters),
      ...(batteries ? { batteries: orSold(batteries) } : {}),
      ...rest,
      adders: chosen,
    },
    kept,
    perWatt: typedNumber(draft.perWatt),
  }
}
