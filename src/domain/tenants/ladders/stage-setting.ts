import { DomainError } from '../../kernel/domain-error.ts'
import { lowered } from '../../kernel/search-form.ts'
import type { Stage } from '../../kernel/tenant/stage.ts'
import { requireKnownPlaceholders } from './preview-message.ts'

/** Where the projects of a retired stage go. */
export interface Emptying {
  to: string
  notifyCustomers: boolean
}

/** Of the long work that moves them. Its subject is the stage. */
export const emptyingKind = 'stage_emptying'

/** A stage as it is edited. */
export interface StageSetting extends Stage {
  version: number
  /** While projects still stand in a stage that is retired. */
  emptying: Emptying | null
  /** How many stand in it. */
  projects: number
}

export type StageFields = Pick<
  Stage,
  'name' | 'milestone' | 'daysAllowed' | 'checklist' | 'alerts' | 'messages'
>
export const stageFields = ['name', 'milestone', 'daysAllowed', 'checklist', 'alerts', 'messages'] as const

export const maxStages = 40

/** Whether a stage may be so, beside the others of its ladder that are in use. */
export function checkStage(
  stage: Pick<Stage, 'id' | 'productLine'> & StageFields,
  all: readonly Stage[],
): void {
  const others = all.filter(
    ({ id, retired, productLine }) => id !== stage.id && !retired && productLine === stage.productLine,
  )
  const refuse = (message: string) => {
    throw new DomainError('invalid', message)
  }
  if (others.some(({ name }) => lowered(name) === lowered(stage.name)))
    refuse(`name: the ladder has a stage ${stage.name} already. Choose another name.`)
  const stamping = stage.milestone && others.find(({ milestone }) => milestone === stage.milestone)
  if (stamping)
    refuse(
      `milestone: ${stamping.name} stamps this one already. Take it from there first, or choose another.`,
    )
  const twice = stage.checklist.find((label, i) => stage.checklist.indexOf(label) !== i)
  if (twice !== undefined) refuse(`checklist: “${twice}” stands there twice. Name each item differently.`)
  for (const message of stage.messages) requireKnownPlaceholders(message)
}

/** The ladder's stages that are in use, in order. */
export function inUse(all: readonly StageSetting[], productLine: Stage['productLine']): StageSetting[] {
  return all.filter((stage) => stage.productLine === productLine && !stage.retired)
}
