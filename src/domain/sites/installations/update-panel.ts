import { isDeepStrictEqual } from 'node:util'
import { recordEvents } from '../../journal/events/record-events.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { takeTimes } from '../../kernel/tenant/clock-queries.ts'
import { checkMetadata, type Metadata, mergedMetadata } from './metadata.ts'
import { type Panel, type PanelRecord, type PanelStatus, panelRecord } from './panel.ts'
import { findPanel, updatePanelRow } from './panel-queries.ts'

/** Absent fields are kept. */
export interface PanelPatch {
  name?: string | undefined
  status?: PanelStatus | undefined
  /** The names sent are set, a null removes one. */
  metadata?: Metadata | undefined
}

/** Changes a panel. What changes nothing writes nothing. */
export async function updatePanel(ctx: Context, id: string, patch: PanelPatch): Promise<PanelRecord> {
  const { actor, db } = ctx
  if (patch.metadata) checkMetadata(patch.metadata)
  const seen = await findPanel(db, scopeOf(ctx), id)
  if (!seen) throw notFound('panel')
  authorize(actor, 'installations.change')
  if (!differences(seen.panel, patched(seen.panel, patch)))
    return panelRecord(seen.panel, seen.dailyOutputKwh)

  return db.transaction(async (tx) => {
    // Also the tenant's lock: what is read now stays so until it is written.
    const at = await takeTimes(tx, actor.installerId, ctx.now, 1)
    const found = await findPanel(tx, scopeOf(ctx), id)
    if (!found) throw notFound('panel')
    const { panel: before, dailyOutputKwh } = found
    const after = { ...patched(before, patch), updatedAt: at }
    const changes = differences(before, after)
    if (!changes) return panelRecord(before, dailyOutputKwh)
    await updatePanelRow(tx, before, after)
    const record = panelRecord(after, dailyOutputKwh)
    await recordEvents(tx, actor, at, [
      {
        type: 'panel.updated',
        companyId: after.companyId,
        subjectId: after.id,
        data: { ...record, version: after.version },
        before: panelRecord(before, dailyOutputKwh),
        changes,
      },
    ])
    return record
  })
}

function patched(panel: Panel, { name, status, metadata }: PanelPatch): Panel {
  return {
    ...panel,
    name: name ?? panel.name,
    status: status ?? panel.status,
    metadata: metadata ? mergedMetadata(panel.metadata, metadata) : panel.metadata,
    version: panel.version + 1,
  }
}

/** Every field that differs, from what to what; null where none does. */
function differences(before: Panel, after: Panel): Record<string, [unknown, unknown]> | null {
  const fields = (['name', 'status', 'metadata'] as const).filter(
    (field) => !isDeepStrictEqual(before[field], after[field]),
  )
  if (fields.length === 0) return null
  return Object.fromEntries(fields.map((field) => [field, [before[field], after[field]]]))
}
