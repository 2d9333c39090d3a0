import { newId } from '../../../platform/ids.ts'
import { recordEvents } from '../../journal/events/record-events.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { takeTimes } from '../../kernel/tenant/clock-queries.ts'
import { installationEvent } from './installation.ts'
import { checkMetadata, type Metadata, mergedMetadata } from './metadata.ts'
import { kilowatts, type Panel, type PanelRecord, panelRecord } from './panel.ts'
import { insertPanel } from './panel-queries.ts'
import { findInstallation, findInstallationOwner } from './queries.ts'

export interface NewPanel {
  name: string
  capacityKw: number
  installationId: string
  metadata?: Metadata | undefined
}

/** Registers a panel in an installation. It belongs to the company that the installation belongs to. */
export async function createPanel(ctx: Context, input: NewPanel): Promise<PanelRecord> {
  const { actor, db } = ctx
  const { installerId } = actor
  const sent = input.metadata ?? {}
  checkMetadata(sent)
  const companyId = await findInstallationOwner(db, scopeOf(ctx), input.installationId)
  if (companyId === null) throw noInstallation()
  authorize(actor, 'installations.change')
  return db.transaction(async (tx) => {
    const at = await takeTimes(tx, installerId, ctx.now, 1)
    const panel: Panel = {
      installerId,
      // Made under the tenant's lock: the order of ids is the order of registration.
      id: newId('pnl'),
      companyId,
      installationId: input.installationId,
      name: input.name,
      capacityKw: kilowatts(input.capacityKw),
      status: 'active',
      metadata: mergedMetadata({}, sent),
      version: 1,
      createdAt: at,
      updatedAt: at,
    }
    const before = await findInstallation(tx, { installerId, id: panel.installationId })
    if (!before) throw noInstallation()
    await insertPanel(tx, panel)
    const after = (await findInstallation(tx, { installerId, id: panel.installationId }))!
    const record = panelRecord(panel, 0)
    await recordEvents(tx, actor, at, [
      {
        type: 'panel.created',
        companyId,
        subjectId: panel.id,
        data: { ...record, version: panel.version },
      },
      installationEvent('installation.updated', after, before),
    ])
    return record
  })
}

function noInstallation(): DomainError {
  return new DomainError(
    'invalid',
    'installationId: there is no installation with this id among your records.',
  )
}
