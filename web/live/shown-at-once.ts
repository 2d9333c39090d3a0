import type { QueryClient } from '@tanstack/react-query'

/** The `meta` of a change that is shown before the server has it. */
export const shownAtOnce = { isShownAtOnce: true }

/** Who sends for longer sees what others change all the same. */
const waitMs = 5_000

/** When the server has what is shown of it: an answer from before would take that back for a moment. */
export function shownIsKept(client: QueryClient): Promise<void> {
  const isUnderWay = () =>
    client.isMutating({ predicate: ({ meta }) => meta?.['isShownAtOnce'] === true }) > 0
  if (!isUnderWay()) return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      stop()
      clearTimeout(late)
      resolve()
    }
    const late = setTimeout(end, waitMs)
    const stop = client.getMutationCache().subscribe(() => {
      if (!isUnderWay()) end()
    })
  })
}
