import { useSyncExternalStore } from 'react'

const rooms = {
  /** Else there is room for a phone's list only. */
  table: room('48rem'),
  /** Seven days beside each other. */
  week: room('64rem'),
  /** A table with columns that could be left out. */
  columns: room('96rem'),
}

function room(width: string) {
  const media = matchMedia(`(min-width: ${width})`)
  return {
    follow(tell: () => void) {
      media.addEventListener('change', tell)
      return () => media.removeEventListener('change', tell)
    },
    isThere: () => media.matches,
  }
}

/** Whether there is room for it. */
export function useWide(what: keyof typeof rooms = 'table'): boolean {
  return useSyncExternalStore(rooms[what].follow, rooms[what].isThere)
}
