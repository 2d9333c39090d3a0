import Type from 'typebox'
import type { Seen as SeenFields } from '../../domain/kernel/changed-meanwhile.ts'

/** What the fields that are sent were when somebody began to change them: where they are not any more, nothing is. */
export const Seen = Type.Unsafe<SeenFields>({
  type: 'object',
  maxProperties: 40,
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: 20_000 },
})
