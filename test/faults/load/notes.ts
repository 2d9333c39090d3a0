import type { Caller } from './caller.ts'
import { countsOf, holdOnce, type State, stateOf, type Writer } from './writer.ts'

interface Target {
  installerId: string
  leadId: string
}

/** How a note is written through one of the interfaces. */
export interface NoteForm {
  kind: string
  method: 'POST' | 'PATCH'
  path: string
  headers: Record<string, string>
  body(text: string): object
}

/** Writes notes, each with a text of its own, through whichever interface. */
export function noteWriter(
  caller: Caller,
  name: string,
  form: NoteForm,
  { installerId, leadId }: Target,
): Writer {
  const written = new Map<string, State>()
  return {
    kind: form.kind,
    async write() {
      const text = `${name} ${written.size + 1}`
      const { kind, method, path, headers } = form
      written.set(text, stateOf(await caller.call({ kind, method, path, headers, body: form.body(text) })))
    },
    async hold(rows) {
      const there = await rows<{ text: string; n: number }>(
        'select body as text, count(*)::int as n from activities where installer_id = $1 and lead_id = $2 group by body',
        [installerId, leadId],
      )
      return holdOnce(written, countsOf(there))
    },
  }
}

/** The notes of a lead, which are also posted to its activity: what was answered last stands there. */
export function lastNoteWriter(
  caller: Caller,
  name: string,
  headers: Record<string, string>,
  target: Target,
): Writer {
  /** The last that was answered, and what was asked for since. */
  let possible: string[] = []
  const watching: Caller = {
    ...caller,
    async call(call) {
      const answer = await caller.call(call)
      const { notes } = call.body as { notes: string }
      possible = stateOf(answer) === 'answered' ? [notes] : [...possible, notes]
      return answer
    },
  }
  const path = `/v1/leads/${target.leadId}`
  const body = (notes: string) => ({ notes })
  const writer = noteWriter(watching, name, { kind: 'changes', method: 'PATCH', path, headers, body }, target)
  return {
    ...writer,
    async hold(rows) {
      const held = await writer.hold(rows)
      const [row] = await rows<{ notes: string }>(
        'select notes from leads where installer_id = $1 and id = $2',
        [target.installerId, target.leadId],
      )
      if (held.checked > 0 && !possible.includes(row!.notes))
        held.lost.push(`the notes of ${target.leadId} are "${row!.notes}", not ${possible.join(' or ')}`)
      return held
    },
  }
}
