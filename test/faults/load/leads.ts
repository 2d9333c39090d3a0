import type { Actors } from '../../support/factories.ts'
import { leadBody } from '../../support/factories.ts'
import type { Caller } from './caller.ts'
import { type State, stateOf, type Writer } from './writer.ts'

/** Creates leads by an id of the caller's own, mostly repeats what was not answered, and reads back what was. */
export function leadWriter(caller: Caller, name: string, { key, company }: Actors): Writer {
  const headers = { authorization: `Bearer ${key}` }
  const written = new Map<string, { state: State; leadId: string | null }>()
  const vanished: string[] = []
  let unknown: string | null = null
  let made = 0
  return {
    kind: 'leads',
    async write() {
      const repeats = unknown !== null && made++ % 4 !== 0
      const externalId = repeats ? unknown! : `${name}-${++made}`
      const body = { ...leadBody, lastName: externalId, externalId }
      const answer = await caller.call({ kind: 'leads', method: 'POST', path: '/v1/leads', headers, body })
      const state = stateOf(answer)
      unknown = state === 'unknown' ? externalId : null
      const leadId = answer?.body?.leadId ?? null
      written.set(externalId, { state, leadId })
      if (state === 'unknown') return
      const path = `/v1/leads/${leadId}`
      const before = caller.wrong.length
      await caller.call({ kind: 'reads', method: 'GET', path, headers })
      if (caller.wrong.slice(before).some((one) => one.startsWith(`GET ${path}: 404`)))
        vanished.push(externalId)
    },
    async hold(rows) {
      const there = await rows<{ external: string; ids: string[]; events: number }>(
        `select l.external_id as external, array_agg(distinct l.id) as ids,
           count(e.*) filter (where e.type = 'lead.created')::int as events
         from leads l left join events e on e.installer_id = l.installer_id and coalesce(e.lead_id, e.subject_id) = l.id
         where l.installer_id = $1 and l.company_id = $2 and l.external_id like $3 and l.last_name = l.external_id
         group by l.external_id`,
        [company.installerId, company.id, `${name}-%`],
      )
      const found = new Map(there.map((row) => [row.external, row]))
      const lost = vanished.map((one) => `lead ${one}: was answered and could not be read`)
      const twice: string[] = []
      for (const [externalId, { state, leadId }] of written) {
        const row = found.get(externalId)
        if (!row) {
          if (state === 'answered') lost.push(`lead ${externalId}`)
          continue
        }
        if (row.ids.length > 1 || row.events > 1)
          twice.push(`lead ${externalId}: ${row.ids} ${row.events} events`)
        if (leadId !== null && !row.ids.includes(leadId))
          lost.push(`lead ${externalId}: is ${row.ids}, not ${leadId}`)
        if (row.events < 1) lost.push(`the event of lead ${externalId}`)
      }
      return { checked: written.size, lost, twice }
    },
  }
}
