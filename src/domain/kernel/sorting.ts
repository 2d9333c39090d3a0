/** By what a list goes, and whether the other way round than it usually does. */
export interface Sorting<By extends string> {
  by: By
  reversed: boolean
}

/** As an address says it: `due`, or `due-reversed`. */
export type SortText<By extends string> = By | `${By}-reversed`

export const sortTexts = <By extends string>(names: readonly By[]): SortText<By>[] =>
  names.flatMap((name): SortText<By>[] => [name, `${name}-reversed`])

export function sortingOf<By extends string>(text: SortText<By>): Sorting<By> {
  return { by: text.replace(/-reversed$/, '') as By, reversed: text.endsWith('-reversed') }
}
