import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { LiveChange } from '../../src/api/console/live.ts'
import { ApiError } from '../api/client.ts'
import { isLost } from '../api/connection.ts'
import { shownIsKept } from './shown-at-once.ts'
import { followChanges } from './stream.ts'
import { touches } from './what-changed.ts'

const restsMs = [250, 500, 1_000]

/** Keeps what is shown up to date with what others change. Called once, by the shell. */
export function useLive(): { lost: boolean } {
  const client = useQueryClient()
  const [lost, setLost] = useState(false)
  useEffect(() => {
    const refresh = refresher(client)
    return followChanges({
      onChanges: refresh,
      onState: (state) => {
        setLost(state === 'lost')
        // Perhaps it is not this stream alone.
        if (state === 'lost') void isLost()
        if (state === 'again') refresh([{ type: 'everything', leadId: null, projectId: null }])
      },
    })
  }, [client])
  return { lost }
}

/** What is asked wrongly is answered the same whatever changes; asked again, the page would say that it loads. */
const isWrong = ({ state: { error } }: Query) => error instanceof ApiError && error.status === 400

/** Fetches again what changes touch: at once, and where they come thick and fast once a second for all of them. */
function refresher(client: QueryClient): (changes: readonly LiveChange[]) => void {
  let waiting: LiveChange[] = []
  let busy = false
  return async function refresh(changes) {
    waiting.push(...changes)
    if (busy) return
    busy = true
    for (let round = 0; waiting.length > 0; round++) {
      await shownIsKept(client)
      const touched = touches(waiting)
      waiting = []
      const restMs = restsMs[Math.min(round, restsMs.length - 1)]
      const rest = new Promise((resolve) => setTimeout(resolve, restMs))
      await client.invalidateQueries({ predicate: (query) => touched(query) && !isWrong(query) })
      await rest
    }
    busy = false
  }
}
