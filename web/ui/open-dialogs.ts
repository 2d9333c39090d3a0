import { useEffect, useRef, useSyncExternalStore } from 'react'

/** The dialogs that are open, the topmost last. */
let open: readonly { close: () => void }[] = []
const listeners = new Set<() => void>()

function set(next: typeof open): void {
  open = next
  for (const notify of listeners) notify()
}

function listen(notify: () => void): () => void {
  listeners.add(notify)
  return () => listeners.delete(notify)
}

/** Counts a dialog among the open ones; `close` is called when the browser's Back is pressed over it. */
export function useOpenDialog(isOpen: boolean, close: () => void): void {
  const latest = useRef(close)
  useEffect(() => {
    latest.current = close
  })
  useEffect(() => {
    if (!isOpen) return
    const entry = { close: () => latest.current() }
    set([...open, entry])
    return () => set(open.filter((one) => one !== entry))
  }, [isOpen])
}

export const useHasOpenDialog = () => useSyncExternalStore(listen, () => open.length > 0)

/** Whether there was one. */
export function closeTopDialog(): boolean {
  const top = open.at(-1)
  top?.close()
  return top !== undefined
}
