import Type from 'typebox'
import {
  type AlertTarget,
  alertTargets,
  type MilestoneKey,
  milestoneKeys,
  type ProductLine,
  productLines,
} from '../../domain/kernel/tenant/stage.ts'
import { maxStages } from '../../domain/tenants/ladders/stage-setting.ts'
import { Fields, oneOf, optional, textOrNull } from '../http/schema-words.ts'

const id = Type.String({ minLength: 1, maxLength: 64 })
const idOrNull = textOrNull({ minLength: 1, maxLength: 64 })
const version = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
const oneLine = (maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[^\\r\\n]+$',
    'x-message': `must be one line of 1 to ${maxLength} characters`,
  })
const name = oneLine(60)
const Message = Fields({ subject: oneLine(200), body: Type.String({ minLength: 1, maxLength: 10_000 }) })

const stage = {
  name,
  milestone: optional(
    Type.Unsafe<MilestoneKey | null>({ type: ['string', 'null'], enum: [...milestoneKeys, null] }),
  ),
  daysAllowed: optional(
    Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: 3_650 }),
  ),
  checklist: optional(Type.Array(oneLine(200), { maxItems: 50 })),
  alerts: optional(Type.Array(oneOf<AlertTarget>(alertTargets), { uniqueItems: true })),
  messages: optional(Type.Array(Message, { maxItems: 5 })),
}

export const NewStageBody = Fields({
  productLine: oneOf<ProductLine>(productLines),
  after: idOrNull,
  ...stage,
})

export const StagePatchBody = Fields({ ...stage, version, name: optional(name) })

const order = Type.Array(id, { maxItems: maxStages, uniqueItems: true })
export const StageOrderBody = Fields({
  productLine: oneOf<ProductLine>(productLines),
  before: order,
  after: order,
})

export const RetireBody = Fields({
  version,
  to: optional(idOrNull),
  notifyCustomers: optional(Type.Boolean()),
})

export const PreviewBody = Fields({ stage: name, message: Message })
