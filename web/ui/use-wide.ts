import { useSyncExternalStore } from 'react'

const rooms = {
  /** A table beside the navigation, with each of its columns; else a list of cards. */
  table: room('72rem'),
  /** Seven days beside each other. */
  week: room('64rem'),
  /** A table with columns that could be left out. */
  columns: room('96rem'),
}

function room(width: string) {
  const media = matchMedia(`(min-width: ${width})`)
  return {
    follow(notify: () => void) {
      media.addEventListener('change', notify)
      return () => media.removeEventListener('change', notify)
    },
    isThere: () => media.matches,
  }
}

/** Whether there is room for it. */
export function useWide(what: keyof typeof rooms = 'table'): boolean {
  return useSyncExternalStore(rooms[what].follow, rooms[what].isThere)
}
