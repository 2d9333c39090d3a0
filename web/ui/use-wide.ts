import { useSyncExternalStore } from 'react'

const wide = matchMedia('(min-width: 48rem)')

function follow(tell: () => void) {
  wide.addEventListener('change', tell)
  return () => wide.removeEventListener('change', tell)
}

/** Whether there is room for a table, or for a phone's list only. */
export function useWide(): boolean {
  return useSyncExternalStore(follow, () => wide.matches)
}
