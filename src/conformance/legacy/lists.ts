import { expectEqual, expectShape, expectStatus, rowsOf, undisturbed } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { fail, need, notApplicable } from '../outcome.ts'
import type { Rule } from '../rule.ts'
import { at, list, number, object, record, text } from '../shape.ts'
import { ownProject } from '../v1/records.ts'
import { expectLegacyError, expectRefused, installerId, orgId, ownLead, read } from './records.ts'

interface LegacyList {
  name: string
  of: 'installer_id' | 'org_id'
  /** By the spec it cannot be left out. */
  required: boolean
  pageRequired?: true
}

const lists: LegacyList[] = [
  { name: 'fetch_all_project_installer', of: 'installer_id', required: false },
  { name: 'fetch_all_project', of: 'org_id', required: true },
  { name: 'fetch_all_lead', of: 'org_id', required: true },
  { name: 'fetch_all_lead_installer', of: 'installer_id', required: true },
  { name: 'fetch_all_project_installer_hi', of: 'installer_id', required: true, pageRequired: true },
  { name: 'fetch_all_project_hi', of: 'org_id', required: true, pageRequired: true },
  { name: 'fetch_all_lead_hi', of: 'org_id', required: true, pageRequired: true },
  { name: 'fetch_all_lead_hi_installer', of: 'installer_id', required: true },
]

const ofAll =
  ({ name, of }: LegacyList, page: string) =>
  (kit: Kit) =>
    `/${name}?${of}=${of === 'org_id' ? orgId(kit) : installerId(kit)}${page}`

const envelope = record({
  success: (value, path) => (value === true ? null : `${path} is not true`),
  message: text,
  data: list(object),
  page: number,
  per_page: number,
  count: number,
  remaining: number,
  total: number,
})

function listRules(one: LegacyList): Rule[] {
  const { name, of, required, pageRequired } = one
  const first = (kit: Kit) => read(kit, ofAll(one, '&page=1')(kit))
  const rules: Rule[] = [
    {
      id: `legacy.${name}.status`,
      says: `\`${name}\` answers a list.`,
      check: async (kit) => expectStatus(await first(kit), 200),
    },
    {
      id: `legacy.${name}.envelope`,
      says: `\`${name}\` answers \`{success, message, data, page, per_page, count, remaining, total}\`, the rows with \`id\`.`,
      decision: true,
      async check(kit) {
        const answer = await first(kit)
        expectShape(answer, envelope)
        expectShape(answer, list(record({ id: text })), 'data')
        expectEqual(at(answer.json, 'per_page'), 100, 'per_page')
        expectEqual(at(answer.json, 'count'), rowsOf(answer).length, 'count')
      },
    },
    {
      id: `legacy.${name}.past-end`,
      says: `A page of \`${name}\` past the end is an empty list.`,
      decision: true,
      async check(kit) {
        const answer = await kit.legacy.get(ofAll(one, '&page=99999')(kit))
        expectStatus(answer, 200)
        expectEqual(rowsOf(answer), [], 'data')
      },
    },
    {
      id: `legacy.${name}.page-invalid`,
      says: `A page of \`${name}\` that is no number from 1 is 400.`,
      decision: true,
      check: async (kit) =>
        expectLegacyError(await kit.legacy.get(ofAll(one, '&page=0')(kit)), 400, 'invalid'),
    },
    {
      id: `legacy.${name}.foreign`,
      says: `\`${name}\` of a company that there is not is 404.`,
      decision: true,
      check: async (kit) =>
        expectLegacyError(await kit.legacy.get(`/${name}?${of}=999999999&page=1`), 404, 'not_found'),
    },
  ]
  if (required)
    rules.push({
      id: `legacy.${name}.required`,
      says: `\`${name}\` needs \`${of}\`: without it it is refused.`,
      check: async (kit) => expectRefused(await kit.legacy.get(`/${name}?page=1`)),
    })
  if (pageRequired)
    rules.push({
      id: `legacy.${name}.page-required`,
      says: `\`${name}\` needs \`page\`: without it it is refused.`,
      check: async (kit) => expectRefused(await kit.legacy.get(ofAll(one, '')(kit))),
    })
  return rules
}

const equipment: [name: string, required: boolean][] = [
  ['fetch_all_panel', true],
  ['fetch_all_inverter', true],
  ['fetch_all_adders', false],
]

function equipmentRules([name, required]: [string, boolean]): Rule[] {
  const all = (kit: Kit) => read(kit, `/${name}?installer_id=${installerId(kit)}`)
  const rules: Rule[] = [
    {
      id: `legacy.${name}.status`,
      says: `\`${name}\` answers a list.`,
      check: async (kit) => expectStatus(await all(kit), 200),
    },
    {
      id: `legacy.${name}.envelope`,
      says: `\`${name}\` answers \`{success, message, data}\`, every value of a row a text.`,
      decision: true,
      async check(kit) {
        const answer = await all(kit)
        expectShape(answer, record({ message: text, data: list(record({ id: text })) }))
        for (const row of rowsOf(answer))
          for (const [field, value] of Object.entries(row))
            if (typeof value !== 'string' && !Array.isArray(value))
              fail(`${field} is ${JSON.stringify(value)}`)
      },
    },
    {
      id: `legacy.${name}.dealer`,
      says: `\`${name}\` answers a dealer's key 403.`,
      decision: true,
      check: async (kit) =>
        expectLegacyError(
          await kit.legacyDealer.get(`/${name}?installer_id=${installerId(kit)}`),
          403,
          'forbidden',
        ),
    },
  ]
  if (required)
    return [
      ...rules,
      {
        id: `legacy.${name}.required`,
        says: `\`${name}\` needs \`installer_id\`: without it it is refused.`,
        check: async (kit) => expectRefused(await kit.legacy.get(`/${name}`)),
      },
    ]
  return [
    ...rules,
    {
      id: `legacy.${name}.optional`,
      says: `\`${name}\` may be asked without \`installer_id\`.`,
      check: async (kit) => expectStatus(await kit.legacy.get(`/${name}`), 200),
    },
  ]
}

/** Of the lists of solar and of HI, the rows of the other are in none. */
const apart: Rule = {
  id: 'legacy.lists.apart',
  says: 'The lists of solar projects and of HI projects have no row in common.',
  decision: true,
  async check(kit) {
    const ids = async (path: string) =>
      rowsOf(await need('a list', read(kit, `${path}?installer_id=${installerId(kit)}&page=1`))).map(
        ({ id }) => id,
      )
    const hi = new Set(await ids('/fetch_all_project_installer_hi'))
    const both = (await ids('/fetch_all_project_installer')).filter((id) => hi.has(id))
    if (both.length > 0) fail(`in both: ${both.slice(0, 3).join(', ')}`)
  },
}

const maxPages = 20

/** What was created is in the list of its organisation and of its installer; the order is not said. */
const own = (list: LegacyList, what: string, id: (kit: Kit) => Promise<string>): Rule => ({
  id: `legacy.${list.name}.own`,
  says: `\`${list.name}\` has the ${what} that was created.`,
  decision: true,
  async check(kit) {
    const wanted = await id(kit)
    for (let page = 1; page <= maxPages; page++) {
      const rows = rowsOf(await kit.legacy.get(ofAll(list, `&page=${page}`)(kit)))
      if (rows.some((row) => row['id'] === wanted)) return
      if (rows.length === 0) fail(`${wanted} is on none of ${page} pages`)
    }
    notApplicable(`it is not on the first ${maxPages} pages, and there are more`)
  },
})

const byName = (name: string) => lists.find((list) => list.name === name)!

const pages: Rule = {
  id: 'legacy.fetch_all_lead_installer.pages',
  says: 'The second page of a list has other rows than the first.',
  decision: true,
  check: (kit) =>
    undisturbed(async () => {
      const list = byName('fetch_all_lead_installer')
      const first = await kit.legacy.get(ofAll(list, '&page=1')(kit))
      const second = rowsOf(await kit.legacy.get(ofAll(list, '&page=2')(kit)))
      if (second.length === 0) notApplicable('the list has one page')
      const seen = new Set(rowsOf(first).map((row) => row['id']))
      const twice = second.filter((row) => seen.has(row['id']))
      if (twice.length > 0) fail(`${twice.length} rows are on both, such as ${String(twice[0]!['id'])}`)
    }),
}

export const legacyListRules: Rule[] = [
  ...lists.flatMap(listRules),
  ...['fetch_all_project', 'fetch_all_project_installer'].map((name) =>
    own(byName(name), 'project', async (kit) => (await ownProject(kit)).id),
  ),
  ...['fetch_all_lead', 'fetch_all_lead_installer'].map((name) => own(byName(name), 'lead', ownLead)),
  pages,
  apart,
  ...equipment.flatMap(equipmentRules),
]
