import type { QueryClient } from '@tanstack/react-query'

/** The `meta` of a change that is shown before the server has it. */
export const shownAtOnce = { isShownAtOnce: true }

/** When the server has what is shown of it: an answer from before would take that back for a moment. */
export function shownIsKept(client: QueryClient): Promise<void> {
  const isUnderWay = () =>
    client.isMutating({ predicate: ({ meta }) => meta?.['isShownAtOnce'] === true }) > 0
  if (!isUnderWay()) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = client.getMutationCache().subscribe(() => {
      if (isUnderWay()) return
      stop()
      resolve()
    })
  })
}
