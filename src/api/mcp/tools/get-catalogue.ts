import type { TObject } from 'typebox'
import { equipmentKinds } from '../../../domain/catalogue/equipment.ts'
import { listAdders, listEquipment } from '../../../domain/catalogue/queries.ts'
import { DomainError } from '../../../domain/kernel/domain-error.ts'
import { authorize } from '../../../domain/kernel/policy.ts'
import { readLadderStages } from '../../../domain/tenants/ladders/read-ladder-stages.ts'
import { Fields, optional } from '../../http/schema-words.ts'
import { readingTool, type ToolCall } from '../tool.ts'
import { choice, Holds, records } from '../words.ts'

const parts = ['adders', 'equipment', 'stages'] as const

const output: TObject = Holds({
  adders: optional(records('Adders and home-improvement products, in the installer’s order')),
  equipment: optional(records('Panels, inverters and batteries')),
  stages: optional(records('The stages of both ladders, in order')),
})

export const getCatalogue = readingTool({
  name: 'get_catalogue',
  title: 'Read the catalogue',
  description:
    'What the installer sells, with ids and prices for mark_as_sold: adders and products, equipment, and the stages of its ladders. Ask for one part to keep the answer small.',
  of: 'company',
  needs: 'catalogue.read',
  input: Fields({
    part: choice(parts, 'Which part'),
    kind: optional(choice(equipmentKinds, 'Of equipment: all three when absent')),
  }),
  output,
  async read(call, { part, kind }) {
    if (kind !== undefined && part !== 'equipment')
      throw new DomainError(
        'invalid',
        `kind: it goes with part "equipment", not with "${part}". Leave it out.`,
      )
    return readPart(call, part, kind)
  },
})

export async function readPart(
  { ctx }: Pick<ToolCall, 'ctx'>,
  part: (typeof parts)[number],
  kind?: (typeof equipmentKinds)[number],
): Promise<object> {
  const { db, actor } = ctx
  if (part === 'stages') return { stages: await readLadderStages(ctx) }
  authorize(actor, 'catalogue.read')
  const { installerId } = actor
  const rows =
    part === 'adders'
      ? await listAdders(db, { installerId })
      : await listEquipment(db, { installerId, kind: kind ?? null })
  return { [part]: JSON.parse(`[${rows}]`) }
}
