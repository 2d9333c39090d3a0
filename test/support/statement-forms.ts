import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile, controlsOf } from '../../src/platform/sql/sql.ts'
import { type Registered, registered } from '../../src/platform/sql/statements.ts'
import { declareChanges } from './change-forms.ts'
import { root } from './process.ts'

/** A text that a statement can have, and what its parameters are called. */
export interface Form {
  text: string
  places: readonly string[]
}

/** Every statement that the program declares. */
export async function declaredStatements(): Promise<readonly Registered[]> {
  const files = globSync('src/**/*.ts', { cwd: root }).filter((file) =>
    /from '.*platform\/sql\/statements\.ts'/.test(readFileSync(join(root, file), 'utf8')),
  )
  for (const file of files) await import(join(root, file))
  await declareChanges()
  return registered
}

/** Each text that a statement can have, once. */
export function formsOf({ fragment }: Registered): Form[] {
  const compiled = valuesOfForms(fragment).map((values) => compile(fragment, values))
  return [...new Map(compiled.map(({ text, places }) => [text, { text, places }])).values()]
}

function valuesOfForms(fragment: Registered['fragment']): Record<string, unknown>[] {
  const choices = new Map<string, unknown[]>()
  for (const { kind, name, choices: picked } of controlsOf(fragment.nodes)) {
    if (kind === 'pick') choices.set(name, [...picked])
    else if (kind === 'each') choices.set(name, [[], [[['a']]], [[['a', 'b'], ['c']], [['d']]]])
    else if (!choices.has(name)) choices.set(name, [null, 'given'])
  }
  const all = [...choices]
  const count = all.reduce((product, [, values]) => product * values.length, 1)
  return count <= 256 ? product(all) : pairs(all)
}

type Choices = [name: string, values: unknown[]][]

function product([first, ...others]: Choices): Record<string, unknown>[] {
  if (!first) return [{}]
  const [name, values] = first
  return product(others).flatMap((rest) => values.map((value) => ({ ...rest, [name]: value })))
}

/** Every two choices together, the others being the first or the last of theirs. */
function pairs(choices: Choices): Record<string, unknown>[] {
  const bases = [0, -1].map((at) =>
    Object.fromEntries(choices.map(([name, values]) => [name, values.at(at)])),
  )
  return bases.flatMap((base) =>
    choices.flatMap((one, i) =>
      choices.slice(i).flatMap((other) => product([one, other]).map((two) => ({ ...base, ...two }))),
    ),
  )
}
