import type { TObject } from 'typebox'
import { equipmentKinds } from '../../../domain/catalogue/equipment.ts'
import { listAdders, listEquipment } from '../../../domain/catalogue/queries.ts'
import type { Context } from '../../../domain/kernel/context.ts'
import { DomainError } from '../../../domain/kernel/domain-error.ts'
import { authorize } from '../../../domain/kernel/policy.ts'
import { readLadderStages } from '../../../domain/tenants/ladders/read-ladder-stages.ts'
import { Fields, optional } from '../../http/schema-words.ts'
import { nextPage, page } from '../numbered.ts'
import { readingTool, type ToolCall } from '../tool.ts'
import { choice, Holds, maxRows, records } from '../words.ts'

const parts = ['adders', 'equipment', 'stages'] as const
export type Part = (typeof parts)[number]

const output: TObject = Holds({
  adders: optional(records('Adders and home-improvement products, in the installer’s order')),
  equipment: optional(records('Panels, inverters and batteries')),
  stages: optional(records('The stages of both ladders, in order')),
  next_page: nextPage,
})

/** An entry may have a long description and 20 tiers, and an answer stays small. */
const perPage = maxRows

export const getCatalogue = readingTool({
  name: 'get_catalogue',
  title: 'Read the catalogue',
  description:
    'What the installer sells, with ids and prices for mark_as_sold: adders and products, equipment, and the stages of its ladders. Ask for one part at a time; of a long one, read on with `page`.',
  of: 'company',
  needs: 'catalogue.read',
  input: Fields({
    part: choice(parts, 'Which part'),
    kind: optional(choice(equipmentKinds, 'Of equipment: all three when absent')),
    page,
  }),
  output,
  async read(call, { part, kind, page }) {
    if (kind !== undefined && part !== 'equipment')
      throw new DomainError(
        'invalid',
        `kind: it goes with part "equipment", not with "${part}". Leave it out.`,
      )
    return readPart(call, part, { kind, page })
  },
})

export async function readPart(
  { ctx }: Pick<ToolCall, 'ctx'>,
  part: Part,
  { kind, page = 1 }: { kind?: (typeof equipmentKinds)[number] | undefined; page?: number | undefined } = {},
): Promise<{ next_page: number | null }> {
  const all = part === 'stages' ? await readLadderStages(ctx) : await readOffered(ctx, part, kind)
  const before = (page - 1) * perPage
  return {
    [part]: all.slice(before, before + perPage),
    next_page: before + perPage < all.length ? page + 1 : null,
  }
}

async function readOffered(
  { db, actor }: Context,
  part: Exclude<Part, 'stages'>,
  kind: (typeof equipmentKinds)[number] | undefined,
): Promise<object[]> {
  authorize(actor, 'catalogue.read')
  const { installerId } = actor
  const rows =
    part === 'adders'
      ? await listAdders(db, { installerId })
      : await listEquipment(db, { installerId, kind: kind ?? null })
  return JSON.parse(`[${rows}]`)
}
