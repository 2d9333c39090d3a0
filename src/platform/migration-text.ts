/** A statement of a migration, and the line of the file that it begins on. */
export interface Step {
  text: string
  line: number
}

const token = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;/g
const space = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/

/** The statements of a migration, one by one: Citus takes them no other way. */
export function stepsOf(migration: string): Step[] {
  const ends = [...migration.matchAll(token)].filter(([one]) => one === ';').map(({ index }) => index)
  let from = 0
  return [...ends, migration.length].flatMap((end) => {
    const start = from + (space.exec(migration.slice(from, end))?.[0].length ?? 0)
    from = end + 1
    const text = migration.slice(start, end).trimEnd()
    return text === '' ? [] : [{ text, line: migration.slice(0, start).split('\n').length }]
  })
}

const concurrent = /^((?:create(?: unique)? index|drop index)) concurrently\b/i

/** Whether it makes its indexes without holding up writes, which PostgreSQL does in no transaction. */
export const isConcurrent = (steps: readonly Step[]): boolean =>
  steps.some(({ text }) => concurrent.test(text))

/** The same within a transaction, where nobody else writes. */
export const notConcurrent = ({ text, line }: Step): Step => ({ text: text.replace(concurrent, '$1'), line })

export const makesTable = ({ text }: Step): boolean => /^create table\b/i.test(text)
