import { useState } from 'react'
import type { LeadListed } from './use-leads.ts'

export interface Selection {
  /** Those that are selected and still shown. */
  ids: string[]
  has: (id: string) => boolean
  toggle: (id: string) => void
  all: boolean
  toggleAll: () => void
  clear: () => void
}

export function useSelection(shown: readonly LeadListed[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const ids = shown.flatMap(({ id }) => (chosen.has(id) ? [id] : []))
  const all = shown.length > 0 && ids.length === shown.length
  return {
    ids,
    has: (id) => chosen.has(id),
    toggle: (id) =>
      setChosen(
        (before) => new Set([...before].filter((one) => one !== id).concat(before.has(id) ? [] : id)),
      ),
    all,
    toggleAll: () => setChosen(new Set(all ? [] : shown.map(({ id }) => id))),
    clear: () => setChosen(new Set()),
  }
}
