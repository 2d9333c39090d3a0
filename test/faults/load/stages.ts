import { randomUUID } from 'node:crypto'
import type { Caller } from './caller.ts'
import { type State, stateOf, type Writer } from './writer.ts'

interface Target {
  installerId: string
  projectId: string
  stages: string[]
}

/** Moves a project through its ladder, round and round, each time until it is answered: each move happens once, in order. */
export function stageWriter(
  caller: Caller,
  headers: Record<string, string>,
  { installerId, projectId, stages }: Target,
): Writer {
  const moves: { stage: string; state: State; key: string }[] = []
  return {
    kind: 'stages',
    async write() {
      const stage = stages[(moves.length + 1) % stages.length]!
      if (moves.at(-1)?.state !== 'unknown') moves.push({ stage, state: 'unknown', key: randomUUID() })
      const move = moves.at(-1)!
      const path = `/v1/projects/${projectId}/stage`
      const body = { stage: move.stage }
      // By its key a move whose connection broke, and which is done only after the next, is known to be the same.
      const keyed = { ...headers, 'idempotency-key': move.key }
      move.state = stateOf(await caller.call({ kind: 'stages', method: 'POST', path, headers: keyed, body }))
    },
    async hold(rows) {
      const events = await rows<{ stage: string }>(
        `select changes -> 'stage' ->> 1 as stage from events
         where installer_id = $1 and project_id = $2 and type = 'project.stage_changed' order by at, ordinal`,
        [installerId, projectId],
      )
      const lost: string[] = []
      const twice: string[] = []
      moves.forEach(({ stage, state }, i) => {
        if (events[i]?.stage !== stage && state === 'answered')
          lost.push(`move ${i} of ${projectId} to ${stage}: ${events[i]?.stage ?? 'nothing'}`)
      })
      if (events.length > moves.length)
        twice.push(`${events.length} moves of ${projectId}, not ${moves.length}`)
      const [row] = await rows<{ name: string }>(
        `select s.name from projects p join stages s on s.installer_id = p.installer_id and s.id = p.stage_id
         where p.installer_id = $1 and p.id = $2`,
        [installerId, projectId],
      )
      const last = events.at(-1)?.stage
      if (last !== undefined && row!.name !== last)
        lost.push(`${projectId} is in ${row!.name}, and went to ${last}`)
      return { checked: moves.length, lost, twice }
    },
  }
}
