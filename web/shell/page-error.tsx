import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isOffline } from '../api/client.ts'
import { ErrorState } from '../ui/states.tsx'

const lost = new WeakSet<Error>()

/** Remembers which errors were files of the console that are gone: a page left open over a new build asks for them. */
export function noteLostFiles(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => lost.add(payload))
}

/** In place of a page that failed. Where a file of it is gone, the page is loaded again, once. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const gone = error instanceof Error && lost.has(error)
  // The router does the same for scripts under this name: together they do it once.
  const key = gone ? `tanstack_router_reload:${error.message}` : null
  const reloads = key !== null && sessionStorage.getItem(key) === null
  useEffect(() => {
    if (!reloads) return
    sessionStorage.setItem(key, '1')
    location.reload()
  }, [reloads, key])
  if (reloads) return null
  // A script that did not come is not asked for a second time by every browser.
  const retry = gone || isOffline(error) ? () => location.reload() : reset
  return <ErrorState error={error} onRetry={retry} page />
}
