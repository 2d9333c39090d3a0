import { recordSetting } from '../../journal/audit/record-setting.ts'
import { createLongJob } from '../../journal/long-jobs/create-long-job.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { bumpDirectory } from '../../kernel/tenant/clock-queries.ts'
import { listStages, retireStageRow } from './setting-queries.ts'
import { type Emptying, emptyingKind, inUse } from './stage-setting.ts'

export interface Retirement {
  version: number
  /** Where the projects go that stand in it. */
  to: string | null
  /** Whether the customers get the messages of the stage that their projects go to. */
  notifyCustomers: boolean
}

/**
 * Takes a stage out of its ladder: nothing enters it from now on. The projects that stand in it are moved on by a
 * job; until the last has gone, the stage is still shown.
 */
export async function retireStage(
  { db, actor, now }: Context,
  id: string,
  { version, to, notifyCustomers }: Retirement,
): Promise<void> {
  authorize(actor, 'ladders.change')
  const { installerId } = actor
  const refuse = (message: string): never => {
    throw new DomainError('invalid', message)
  }
  await db.transaction(async (tx) => {
    await bumpDirectory(tx, installerId)
    const all = await listStages(tx, { installerId })
    const stage = all.find((one) => one.id === id && !one.retired)
    if (!stage) throw notFound('stage')
    if (stage.version !== version)
      refuse(`${stage.name} was changed by somebody else meanwhile. Look at how it is now, then go on.`)
    const others = inUse(all, stage.productLine).filter((other) => other.id !== id)
    if (others.length === 0) refuse('A ladder has at least one stage. Add another first.')
    const coming = all.find(({ emptying }) => emptying?.to === id)
    if (coming) refuse(`Projects are still on their way here from ${coming.name}. Wait until they have come.`)
    const target = others.find((other) => other.id === to)
    if (to !== null && !target) refuse('to: the ladder has no such stage. Choose another.')
    if (stage.projects > 0 && !target)
      refuse(
        `to: ${stage.projects === 1 ? 'a project stands' : `${stage.projects} projects stand`} in ${stage.name}. Say where to.`,
      )
    const emptying: Emptying | null = stage.projects > 0 ? { to: target!.id, notifyCustomers } : null
    await retireStageRow(tx, { installerId, id, now })
    if (emptying)
      await createLongJob(tx, actor, now, {
        kind: emptyingKind,
        subjectId: id,
        companyId: installerId,
        input: emptying,
        total: stage.projects,
      })
    await recordSetting(tx, actor, now, {
      type: emptying ? 'stage.retiring' : 'stage.retired',
      companyId: installerId,
      subjectId: id,
      name: stage.name,
      changes: emptying ? { projectsGoTo: [null, target!.name] } : {},
    })
  })
}
