import { useMatches } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'
import { common } from '../texts/en/common.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** What the page is called; null where only the pages within are. */
    title: string | null
  }
}

let recordName: string | null = null
const listeners = new Set<() => void>()

function nameRecord(name: string | null): void {
  recordName = name
  for (const notify of listeners) notify()
}

function listen(notify: () => void): () => void {
  listeners.add(notify)
  return () => listeners.delete(notify)
}

/** The name of what the page is about, for its title, as long as it is shown. */
export function useRecordName(name: string | null | undefined): void {
  useEffect(() => {
    if (!name) return
    nameRecord(name)
    return () => nameRecord(null)
  }, [name])
}

/** Keeps the document's title that of the page. */
export function PageTitle() {
  const page = useMatches({
    select: (matches) => matches.findLast(({ staticData }) => staticData.title)?.staticData.title,
  })
  const name = useSyncExternalStore(listen, () => recordName)
  useEffect(() => {
    document.title = [name, page, common.product].filter(Boolean).join(' · ')
  }, [name, page])
  return null
}
