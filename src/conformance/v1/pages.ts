import {
  expectEqual,
  expectInvalid,
  expectShape,
  expectStatus,
  rowsOf,
  succeeded,
  undisturbed,
} from '../expect.ts'
import type { Kit } from '../kit.ts'
import { fail, need, notApplicable } from '../outcome.ts'
import type { Rule } from '../rule.ts'
import { at, list, nullable, object, record, shown, text } from '../shape.ts'
import type { Row } from './records.ts'

/** A list that is read page by page. */
export interface PagedList {
  prefix: string
  /** The time that the order goes by. */
  time: 'updatedAt' | 'createdAt'
  path(kit: Kit): Promise<string>
  /** By the spec it answers 400 to a wrong query. */
  refuses: boolean
}

const ids = (rows: Row[]) => rows.map((row) => row['id'])

/** With further query fields, of which an address may have some already. */
export const ask = async (kit: Kit, of: PagedList, query: string) =>
  kit.installer.get(`${await need('the list', of.path(kit))}${query === '' ? '' : `?${query}`}`)

const first = (kit: Kit, of: PagedList, query: string) =>
  kit.once(`${of.prefix}?${query}`, () => ask(kit, of, query))

const reach = 8
const step = 2

/** Page after page in steps of two, as far as `reach`, or to the end. */
async function walk(
  kit: Kit,
  of: PagedList,
  query: string,
  limit = reach,
): Promise<{ rows: Row[]; ended: boolean }> {
  const rows: Row[] = []
  let cursor = ''
  while (rows.length < limit) {
    const answer = succeeded(await ask(kit, of, `limit=${step}${query}${cursor}`))
    const found = rowsOf(answer)
    rows.push(...found)
    const next = at(answer.json, 'next')
    if (next === null) return { rows, ended: true }
    if (typeof next !== 'string' || found.length === 0)
      fail(`${answer.what}: next is ${shown(next)}, rows ${found.length}`)
    cursor = `&cursor=${encodeURIComponent(next)}`
  }
  return { rows, ended: false }
}

async function begin(kit: Kit, of: PagedList, least = 3): Promise<Row[]> {
  const rows = rowsOf(succeeded(await ask(kit, of, `limit=${reach}`)))
  if (rows.length < least) notApplicable(`the list has fewer than ${least} rows`)
  return rows
}

function limitRules(of: PagedList): Rule[] {
  const { prefix } = of
  const upTo = (max: number, query: string) => async (kit: Kit) => {
    const answer = await first(kit, of, query)
    expectStatus(answer, 200)
    const { length } = rowsOf(answer)
    const next = at(answer.json, 'next')
    if (length > max || (next !== null && length !== max))
      fail(`${answer.what}: ${length} rows, and next is ${shown(next)}`)
  }
  const invalid = (name: string, value: string): Rule => ({
    id: `${prefix}.limit.${name}`,
    says: `A \`limit\` of ${value} is 400 \`invalid\`.`,
    check: async (kit) => expectInvalid(await ask(kit, of, `limit=${value}`)),
  })
  return [
    {
      id: `${prefix}.limit.default`,
      says: 'A page has 50 rows when no `limit` is given.',
      check: upTo(50, ''),
    },
    { id: `${prefix}.limit.one`, says: 'A page may have 1 row.', check: upTo(1, 'limit=1') },
    { id: `${prefix}.limit.hundred`, says: 'A page may have 100 rows.', check: upTo(100, 'limit=100') },
    ...(of.refuses ? [invalid('zero', '0'), invalid('over', '101'), invalid('text', 'many')] : []),
  ]
}

function cursorRules(of: PagedList): Rule[] {
  const { prefix } = of
  const cursor = async (kit: Kit) => {
    const next = at((await need('a page', ask(kit, of, 'limit=1'))).json, 'next')
    return typeof next === 'string' ? encodeURIComponent(next) : notApplicable('the list has no second page')
  }
  const rules: Rule[] = [
    {
      id: `${prefix}.cursor.walk`,
      says: 'Page after page gives the rows of one long page: none twice, none left out.',
      check: (kit) =>
        undisturbed(async () => {
          const expected = ids(await begin(kit, of))
          expectEqual(ids((await walk(kit, of, '')).rows).slice(0, reach), expected, 'what the pages hold')
        }),
    },
    {
      id: `${prefix}.cursor.end`,
      says: '`next` is null at the last page, and only there.',
      check: (kit) =>
        undisturbed(async () => {
          const rows = await begin(kit, of, 2)
          const since = at(rows[3] ?? rows.at(-1), 'updatedAt')
          if (of.time === 'updatedAt' && typeof since !== 'string')
            notApplicable('the rows have no updatedAt')
          const query = of.time === 'updatedAt' ? `&updatedSince=${encodeURIComponent(since as string)}` : ''
          const { rows: walked, ended } = await walk(kit, of, query, 40)
          if (!ended) fail(`next is not null after ${walked.length} rows, of which there are no more`)
          const most = of.time === 'updatedAt' ? rows.indexOf(rows[3] ?? rows.at(-1)!) : rows.length
          if (walked.length < most) fail(`next is null after ${walked.length} of at least ${most} rows`)
        }),
    },
  ]
  if (!of.refuses) return rules
  return [
    ...rules,
    {
      id: `${prefix}.cursor.altered`,
      says: 'A cursor that was altered is 400 `invalid`.',
      decision: true,
      check: async (kit) => {
        const taken = await cursor(kit)
        const altered = (taken.startsWith('A') ? 'B' : 'A') + taken.slice(1)
        expectInvalid(await ask(kit, of, `limit=1&cursor=${altered}`))
      },
    },
    {
      id: `${prefix}.cursor.bound`,
      says: 'A cursor that is sent with other query fields than its page is 400 `invalid`.',
      decision: true,
      check: async (kit) =>
        expectInvalid(await ask(kit, of, `limit=1&productLine=solar&cursor=${await cursor(kit)}`)),
    },
  ]
}

export function pageRules(of: PagedList): Rule[] {
  const { prefix, time } = of
  return [
    {
      id: `${prefix}.page`,
      says: 'A page is `data`, an array, and `next`, a text or null.',
      async check(kit) {
        const answer = await first(kit, of, 'limit=100')
        expectStatus(answer, 200)
        expectShape(answer, record({ data: list(object), next: nullable(text) }))
      },
    },
    {
      id: `${prefix}.order`,
      says: time === 'updatedAt' ? 'The newest change comes first.' : 'The newest comes first.',
      async check(kit) {
        const rows = rowsOf(await first(kit, of, 'limit=100'))
        const times = rows.map((row) => Date.parse(String(row[time]))).filter((ms) => !Number.isNaN(ms))
        const i = times.findIndex((ms, at) => at > 0 && ms > times[at - 1]!)
        if (i > 0) fail(`row ${i} has a newer ${time} than the one before it`)
        if (times.length < 2) notApplicable('the list has fewer than two rows')
      },
    },
    ...limitRules(of),
    ...cursorRules(of),
  ]
}

/** `updatedSince` and `productLine`, which leads and projects have. */
export function filterRules(of: PagedList): Rule[] {
  const { prefix } = of
  const since = async (kit: Kit, time: string) =>
    ids(rowsOf(succeeded(await ask(kit, of, `limit=${reach}&updatedSince=${encodeURIComponent(time)}`))))
  const timeOf = (row: Row | undefined) => {
    const time = at(row, 'updatedAt')
    return typeof time === 'string' ? time : notApplicable('the rows have no updatedAt')
  }
  const ofLine = (line: string) => async (kit: Kit) => {
    const answer = await first(kit, of, `limit=100&productLine=${line}`)
    expectStatus(answer, 200)
    for (const row of rowsOf(answer)) expectEqual(row['productLine'], line, 'productLine of a row')
  }
  return [
    {
      id: `${prefix}.updated-since.includes`,
      says: '`updatedSince` gives every row that changed after that time.',
      check: (kit) =>
        undisturbed(async () => {
          const rows = await begin(kit, of)
          const found = await since(kit, timeOf(rows[2]))
          for (const row of rows.slice(0, 2))
            if (!found.includes(row['id'])) fail(`the row ${shown(row['id'])} changed later and is not there`)
        }),
    },
    {
      id: `${prefix}.updated-since.after`,
      says: '`updatedSince` leaves out what changed at that very time: only later ones are given.',
      check: (kit) =>
        undisturbed(async () => {
          const rows = await begin(kit, of)
          const found = await since(kit, timeOf(rows[2]))
          if (found.includes(rows[2]!['id'])) fail('the row that changed at that very time is there')
        }),
    },
    {
      id: `${prefix}.updated-since.offset`,
      says: '`updatedSince` may be written with any offset.',
      decision: true,
      check: (kit) =>
        undisturbed(async () => {
          const time = timeOf((await begin(kit, of))[2])
          const elsewhere = new Date(Date.parse(time) + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
          expectEqual(await since(kit, elsewhere), await since(kit, time), `what changed since ${elsewhere}`)
        }),
    },
    {
      id: `${prefix}.updated-since.invalid`,
      says: 'An `updatedSince` that is no timestamp is 400 `invalid`.',
      check: async (kit) => expectInvalid(await ask(kit, of, 'updatedSince=yesterday')),
    },
    {
      id: `${prefix}.product-line.solar`,
      says: '`productLine=solar` gives solar rows only.',
      check: ofLine('solar'),
    },
    { id: `${prefix}.product-line.hi`, says: '`productLine=hi` gives HI rows only.', check: ofLine('hi') },
    {
      id: `${prefix}.product-line.both`,
      says: 'Without `productLine` both lines are given.',
      check: (kit) =>
        undisturbed(async () => {
          const all = await ask(kit, of, 'limit=100')
          const lines = new Set(rowsOf(all).map((row) => row['productLine']))
          for (const line of ['solar', 'hi']) {
            const has = rowsOf(await ask(kit, of, `limit=1&productLine=${line}`)).length > 0
            if (has && at(all.json, 'next') === null && !lines.has(line)) fail(`no row of ${line} is there`)
          }
        }),
    },
    {
      id: `${prefix}.product-line.invalid`,
      says: 'Another `productLine` is 400 `invalid`.',
      check: async (kit) => expectInvalid(await ask(kit, of, 'productLine=wind')),
    },
  ]
}
