import { holds } from './expect.ts'
import type { Kit } from './kit.ts'
import { need, notApplicable } from './outcome.ts'
import { at, type Shape } from './shape.ts'

export interface Rule {
  id: string
  /** The sentence of the spec, in our own words. */
  says: string
  /** The specs are silent; decided for all servers. */
  decision?: true
  check(kit: Kit): Promise<void>
}

export const interfaces = ['v1', 'legacy', 'catalogue'] as const
export type Interface = (typeof interfaces)[number]

/** Each property of a record is a rule: it is there in every record that was read, in its type. */
export function fieldRules(
  prefix: string,
  what: string,
  fields: Record<string, Shape>,
  records: (kit: Kit) => Promise<unknown[]>,
  more: Pick<Rule, 'decision'> = {},
): Rule[] {
  return Object.entries(fields).map(([name, shape]) => ({
    id: `${prefix}.${name}`,
    says: `${what} has \`${name}\`, always and in its type.`,
    ...more,
    async check(kit) {
      const found = await need(what, records(kit))
      if (found.length === 0) notApplicable(`the server has none: ${what.toLowerCase()}`)
      found.forEach((record, i) => {
        holds(shape(at(record, name), `[${i}].${name}`))
      })
    },
  }))
}
