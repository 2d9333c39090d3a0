import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useToasts } from './toast.tsx'

interface OrderOptions {
  save: (before: string[], after: string[]) => Promise<unknown>
  /** Asks for the list again. */
  refresh: () => Promise<unknown>
}

/** A list's order: shown at once as somebody wants it, and saved one change after the other. */
export function useOrder<T extends { id: string }>(items: readonly T[], { save, refresh }: OrderOptions) {
  const { complain } = useToasts()
  const [wanted, setWanted] = useState<string[] | null>(null)
  const latest = useRef<string[]>([])
  const saving = useMutation({
    mutationFn: async (seen: string[]) => {
      // More may be wanted while this is on its way.
      for (let before = seen; latest.current !== before; await refresh()) {
        const after = latest.current
        await save(before, after)
        before = after
      }
    },
    onError: async (error) => {
      complain(error)
      await refresh()
    },
    onSettled: () => setWanted(null),
  })

  function order(ids: string[]) {
    latest.current = ids
    setWanted(ids)
    if (!saving.isPending) saving.mutate(items.map(({ id }) => id))
  }

  const places = wanted && new Map(wanted.map((id, place) => [id, place]))
  const shown = places
    ? items.toSorted((a, b) => (places.get(a.id) ?? items.length) - (places.get(b.id) ?? items.length))
    : items
  return { shown, order }
}
