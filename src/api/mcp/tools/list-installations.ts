import { scopeOf } from '../../../domain/kernel/context.ts'
import { DomainError } from '../../../domain/kernel/domain-error.ts'
import { findReachedInstallation } from '../../../domain/sites/installations/queries.ts'
import type { FleetPlace } from '../../../domain/sites/monitoring/fleet-queries.ts'
import { type FleetEntry, readFleet } from '../../../domain/sites/monitoring/read-fleet.ts'
import { Fields, optional } from '../../http/schema-words.ts'
import { readingTool, type ToolCall } from '../tool.ts'
import { Holds, next, paging, records, said } from '../words.ts'

export const listInstallations = readingTool({
  name: 'list_installations',
  title: 'Find installations',
  description:
    'Installations by name, those that hold `text` in their name or address where it is sent: their id is what get_energy, list_alerts, list_invoices and bill take.',
  of: 'catalog',
  input: Fields({
    text: optional(said(100, 'Part of the name or the address')),
    region: optional(said(64, 'Only of this region')),
    ...paging,
  }),
  output: Holds({
    installations: records(
      'id, region, panels, capacity_kw, open_alerts, last_reading (its day); name and address under `untrusted`',
    ),
    next,
  }),
  async read(call, { text, region, limit = 10, cursor }) {
    const { deps, ctx } = call
    const binding = ['mcp', 'installations', ctx.actor.companyId, limit, text ?? null, region ?? null]
    const after = cursor === undefined ? null : await placeOf(call, deps.cursors.readId(cursor, binding))
    const page = await readFleet(ctx, { search: text, region, sorting, after, limit })
    return {
      installations: page.installations.map(shortInstallation),
      next: page.next && deps.cursors.writeId(page.next.id, binding),
    }
  },
})

const sorting = { by: 'name', reversed: false } as const

async function placeOf({ ctx }: ToolCall, id: string): Promise<FleetPlace> {
  const last = await findReachedInstallation(ctx.db, scopeOf(ctx), id)
  if (!last)
    throw new DomainError(
      'invalid',
      'cursor: its installation is gone meanwhile. Leave it out to begin anew.',
    )
  return { id, key: last.name }
}

const shownByWords = 10

/** What is found beside leads and projects. */
export async function findInstallations({ ctx }: ToolCall, text: string): Promise<object[]> {
  const { installations } = await readFleet(ctx, { search: text, sorting, after: null, limit: shownByWords })
  return installations.map(shortInstallation)
}

function shortInstallation(entry: FleetEntry): object {
  const { id, name, address, region, panelCount, capacityKw, alerts, lastDay } = entry
  return {
    id,
    region,
    panels: panelCount,
    capacity_kw: capacityKw,
    open_alerts: alerts,
    last_reading: lastDay,
    untrusted: { name, address },
  }
}
