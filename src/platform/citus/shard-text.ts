import { type Column, decimal } from '../sql/row.ts'

/** A word, or a sign that stands alone; what is quoted is neither. */
interface Token {
  text: string
  start: number
}

const token =
  /--[^\n]*|'(?:[^']|'')*'|\$\$[\s\S]*?\$\$|"(?:[^"]|"")*"|[A-Za-z_][\w$]*|\d[\w.]*|\$\d+|::|[(),.;]|[^\s\w]/g
const quoted = /^(?:--|'|\$\$)/

function tokensOf(text: string): Token[] {
  return [...text.matchAll(token)]
    .map((match) => ({ text: match[0], start: match.index }))
    .filter(({ text: one }) => !quoted.test(one))
}

const isWord = (one: string | undefined) => one !== undefined && /^[a-z_]/i.test(one)
/** Functions that say `from` of something else than a table. */
const ownFrom = new Set(['extract', 'substring', 'trim', 'overlay', 'position'])
/** What may follow a table that has no other name in the statement. */
const behindTable = new Set(
  (
    'where set on join cross left right inner full natural order group having limit offset for using values select with ' +
    'returning union except intersect default when window fetch tablesample'
  ).split(' '),
)

/**
 * The statement with each table marked, as `@leads@`, so that the node that holds a tenant can put the name of its shard
 * there. A table goes on being called by its own name in the rest of the statement.
 */
export function markTables(text: string): string {
  const tokens = tokensOf(text)
  const word = (i: number) => tokens[i]?.text.toLowerCase()
  const named = queryNames(tokens)
  const openers: string[] = []
  let marked = ''
  let done = 0
  for (const [i, { text: one, start }] of tokens.entries()) {
    if (one === '(') openers.push(word(i - 1) ?? '')
    if (one === ')') openers.pop()
    if (!isWord(one) || !standsForTable(word, i, openers.at(-1) ?? '') || named.has(one.toLowerCase()))
      continue
    const end = start + one.length
    marked += `${text.slice(done, start)}@${one}@${hasAlias(word, i) ? '' : ` as ${one}`}`
    done = end
  }
  return marked + text.slice(done)
}

/** The tables that a statement is of. */
export function tablesOf(text: string): string[] {
  return [...new Set([...markTables(text).matchAll(/@(\w+)@/g)].map((match) => match[1]!))]
}

const changing = new Set(['insert', 'update', 'delete', 'merge', 'share', 'queue_job', 'wake_webhooks'])

/** Whether a statement only looks, and locks nothing. */
export function onlyReads(text: string): boolean {
  return !tokensOf(text).some((one) => changing.has(one.text.toLowerCase()))
}

type Word = (i: number) => string | undefined

function standsForTable(word: Word, i: number, opener: string): boolean {
  const before = word(i - 1)
  if (word(i) === 'lateral') return false
  const isCalled = word(i + 1) === '('
  switch (before) {
    case 'into':
      return true
    case 'update':
      return !['for', 'key', 'do'].includes(word(i - 2) ?? '')
    case 'from':
      return !isCalled && word(i - 2) !== 'distinct' && !ownFrom.has(opener)
    case 'join':
    case 'using':
      return !isCalled
    default:
      return false
  }
}

function hasAlias(word: Word, i: number): boolean {
  const next = word(i + 1)
  return next === 'as' || (isWord(next) && !behindTable.has(next!))
}

/** Names of the queries of `with`, which look like tables where they are used. */
function queryNames(tokens: readonly Token[]): Set<string> {
  const names = new Set<string>()
  const word = (i: number) => tokens[i]?.text.toLowerCase()
  for (const [i, { text: one }] of tokens.entries()) {
    if (!isWord(one) || !['with', 'recursive', ','].includes(word(i - 1) ?? '')) continue
    let next = i + 1
    if (word(next) === '(') while (next < tokens.length && word(next++) !== ')');
    if (word(next) === 'as' && ['(', 'materialized', 'not'].includes(word(next + 1) ?? ''))
      names.add(one.toLowerCase())
  }
  return names
}

/**
 * The statement as one that answers one value: all its rows as JSON, exact numbers as text. What it answers becomes the last of
 * its queries, as a query that changes something may stand nowhere else. What answers nothing answers null.
 */
export function asOneAnswer(text: string, columns: Readonly<Record<string, Column>>): string {
  const tokens = tokensOf(text)
  const main = mainStatement(tokens)
  const at = tokens[main]!.start
  const [queries, statement] = [text.slice(0, at).trimEnd(), text.slice(at).replace(/;\s*$/, '')]
  const asQuery = `${queries === '' ? 'with' : `${queries},`} ${answer} as (${statement})`
  if (!answersRows(tokens, main)) return `${asQuery}\nselect null::text`
  const names = Object.entries(columns)
  const exact = names.map(
    ([name, column]) => `"${name}"${column === decimal ? `::text as ${JSON.stringify(name)}` : ''}`,
  )
  const from = names.some(([, column]) => column === decimal)
    ? `(select ${exact} from ${answer}) as ${answer}`
    : answer
  return `${asQuery}\nselect json_agg(${answer})::text from ${from}`
}

/** No column is called so. */
const answer = 'rows_of_answer'

/** Where the statement begins behind the queries of its `with`. */
function mainStatement(tokens: readonly Token[]): number {
  if (tokens[0]?.text.toLowerCase() !== 'with') return 0
  let depth = 0
  for (const [i, { text: one }] of tokens.entries()) {
    if (one === '(') depth++
    if (one !== ')' || --depth > 0) continue
    const next = tokens[i + 1]?.text.toLowerCase()
    if (next !== ',' && next !== 'as') return i + 1
  }
  throw new Error('a statement ends within its queries')
}

function answersRows(tokens: readonly Token[], main: number): boolean {
  // Each part of a union may stand in brackets.
  const verb = tokens
    .slice(main)
    .find(({ text: one }) => one !== '(')
    ?.text.toLowerCase()
  if (verb === 'select' || verb === 'values') return true
  let depth = 0
  return tokens.slice(main).some(({ text: one }) => {
    if (one === '(') depth++
    if (one === ')') depth--
    return depth === 0 && one.toLowerCase() === 'returning'
  })
}
