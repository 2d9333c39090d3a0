import Type from 'typebox'
import { dayIn } from '../../../domain/kernel/days.ts'
import type { Caller } from '../../http/authenticate.ts'
import { Fields } from '../../http/schema-words.ts'
import { readingTool } from '../tool.ts'
import { Holds, record } from '../words.ts'

export const whoAmI = readingTool({
  name: 'who_am_i',
  title: 'Who am I',
  description:
    'Says whose key this is, what it may do and what day it is for the company. Call it first, and when something is refused.',
  of: null,
  input: Fields({}),
  output: Holds({
    company: record('The company that the key belongs to: id, name, kind (installer or dealer), timezone'),
    key: record(
      'The key: name, access (full or read), interfaces, expiresAt, and the agent that it was made for',
    ),
    today: Type.String({ description: 'The company’s day, as YYYY-MM-DD' }),
    may: Type.Array(Type.String(), { description: 'What the key may do, and what it may not, in sentences' }),
  }),
  async read({ caller, ctx }) {
    const { actor, agent, interfaces, timezone } = caller
    return {
      company: {
        id: actor.companyId,
        name: caller.companyName,
        kind: actor.companyKind,
        number: caller.companyNumber,
        timezone,
      },
      key: {
        name: caller.keyName,
        prefix: caller.keyPrefix,
        access: actor.canWrite ? 'full' : 'read',
        interfaces,
        expiresAt: caller.expiresAt,
        agent: agent && { name: agent.name, proposes: agent.proposes },
      },
      today: dayIn(timezone, ctx.now),
      may: rightsOf(caller),
    }
  },
})

function rightsOf({ actor, agent, interfaces }: Caller): string[] {
  const rights = [
    actor.companyKind === 'installer'
      ? 'It sees all records of the installer and its dealers.'
      : 'It sees only records of this dealer. Moving projects, their days, their files and the catalogue are the installer’s.',
  ]
  if (!actor.canWrite) rights.push('It may only read: there are no tools that change anything.')
  if (agent?.proposes)
    rights.push(
      'What it does with move_stage, mark_as_sold and bill is a proposal: it waits until a person approves it in the console.',
    )
  if (!interfaces.includes('company'))
    rights.push('It was not made for leads and projects: ask for a key with the company-key interface.')
  if (!interfaces.includes('catalog'))
    rights.push(
      'It was not made for energy, alerts and invoices: ask for a key with the catalogue interface.',
    )
  return rights
}
