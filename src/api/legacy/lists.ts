import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readDealPage } from '../../domain/deals/changes/deal.ts'
import { renderLegacyLead } from '../../domain/deals/leads/render-legacy.ts'
import { readLegacyProjectPage } from '../../domain/deals/projects/queries.ts'
import { type CountedList, type CountedPage, perPage } from '../../domain/deals/renderings/counted-lists.ts'
import type { RenderedBytes } from '../../domain/deals/renderings/rendered-bytes.ts'
import { type Context, type LineScope, shareOf } from '../../domain/kernel/context.ts'
import { requireCompanyNumbered, requireInstallerNamed } from '../../domain/kernel/tenant/require-company.ts'
import type { ProductLine } from '../../domain/kernel/tenant/stage.ts'
import { createFairQueue } from '../../platform/fair-queue.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { hangUp } from '../http/hang-up.ts'
import { sendJson } from '../http/send-json.ts'
import { lineContext, lineScope, readable, readableBytes } from './line.ts'
import { type ListQuery, listQuery } from './request-schemas.ts'

interface List {
  path: string
  productLine: ProductLine
  table: CountedList['table']
  /** Whose records: a company's by its number, or all that the caller sees of an installer's. */
  of: 'org_id' | 'installer_id'
  required: (keyof ListQuery)[]
  answer: string
}

/** The eight lists, each with the fields that the old interface asks for: they were never quite the same. */
const lists: List[] = [
  {
    path: 'fetch_all_project_installer',
    productLine: 'solar',
    table: 'projects',
    of: 'installer_id',
    required: [],
    answer: 'ProjectList',
  },
  {
    path: 'fetch_all_project',
    productLine: 'solar',
    table: 'projects',
    of: 'org_id',
    required: ['org_id'],
    answer: 'ProjectList',
  },
  {
    path: 'fetch_all_lead',
    productLine: 'solar',
    table: 'leads',
    of: 'org_id',
    required: ['org_id'],
    answer: 'LeadList',
  },
  {
    path: 'fetch_all_lead_installer',
    productLine: 'solar',
    table: 'leads',
    of: 'installer_id',
    required: ['installer_id'],
    answer: 'LeadList',
  },
  {
    path: 'fetch_all_project_installer_hi',
    productLine: 'hi',
    table: 'projects',
    of: 'installer_id',
    required: ['installer_id', 'page'],
    answer: 'HiProjectList',
  },
  {
    path: 'fetch_all_project_hi',
    productLine: 'hi',
    table: 'projects',
    of: 'org_id',
    required: ['org_id', 'page'],
    answer: 'HiProjectList',
  },
  {
    path: 'fetch_all_lead_hi',
    productLine: 'hi',
    table: 'leads',
    of: 'org_id',
    required: ['org_id', 'page'],
    answer: 'HiLeadList',
  },
  {
    path: 'fetch_all_lead_hi_installer',
    productLine: 'hi',
    table: 'leads',
    of: 'installer_id',
    required: ['installer_id'],
    answer: 'HiLeadList',
  },
]

// A page is 300 KB, and several times that while it is being made: what waits, waits before it. Two of three for one
// company: however much it asks for, another's page is made beside.
const pagesLine = () =>
  createFairQueue({
    atOnce: { all: 3, group: 2, owner: 2 },
    waiting: { all: 1_000, group: 500, owner: 300 },
    maxWaitMs: 20_000,
    maxWorkMs: 10_000,
  })

export function listRoutes(app: FastifyInstance, deps: Deps): void {
  const line = pagesLine()
  for (const list of lists) {
    const { path, productLine, table, of, required } = list
    const whose = of === 'org_id' ? 'a company' : 'an installer'
    app.get<{ Querystring: ListQuery }>(
      `/${path}`,
      {
        schema: {
          operationId: path,
          tags: ['Lists'],
          summary: `List ${whose}’s ${productLine === 'hi' ? 'home-improvement' : 'solar'} ${table}`,
          description:
            'Newest change first, a hundred a page. A page past the end is empty. A dealer’s key lists its own records.',
          querystring: listQuery(of, required),
          response: answers({ 200: [list.answer, 'A page'] }, [400, 403, 404]),
        },
      },
      async (request, reply) => {
        const { query } = request
        const ctx = lineContext(deps, request, productLine)
        const scope = await reachOfList(ctx, list, query)
        const page = Math.min(Number(query.page ?? 1), Number.MAX_VALUE)
        const make = async () => listBody(table, page, await readPage(deps, request, { table, scope }, page))
        // Its place is free before it is sent: who takes it slowly keeps nobody waiting.
        return sendJson(reply, await line.run(shareOf(ctx.actor), make, hangUp(reply)))
      },
    )
  }
}

async function reachOfList(ctx: Context, { of, productLine }: List, query: ListQuery): Promise<LineScope> {
  const scope = lineScope(ctx, productLine)
  if (of === 'org_id') return { ...scope, companyId: await requireCompanyNumbered(ctx, query.org_id!) }
  if (query.installer_id !== undefined) await requireInstallerNamed(ctx, query.installer_id)
  return scope
}

type Part = string | RenderedBytes

async function readPage(
  deps: Deps,
  request: FastifyRequest,
  list: CountedList,
  page: number,
): Promise<CountedPage<Part[]>> {
  const { directories, countedPage } = deps
  const { table, scope } = list
  return countedPage<Part[]>(deps.db, list, page, async (db, start) => {
    if (table === 'projects') {
      const found = await readLegacyProjectPage(db, scope, start)
      return { ...found, rows: [readableBytes(deps, request, found.rows)] }
    }
    const directory = await directories.current(db, scope.installerId)
    const found = await readDealPage(db, scope, start)
    const records = found.rows.map((deal) => readable(deps, request, renderLegacyLead(deal, directory)))
    return { ...found, rows: records.map((record, i) => (i === 0 ? record : `,${record}`)) }
  })
}

/** The parts of the answer, which are not joined: together they are 300 KB. */
function listBody(
  table: string,
  page: number,
  { rows, count, remaining, total }: CountedPage<Part[]>,
): Part[] {
  const message = `Here are ${count} of ${total} ${table}.`
  return [
    `{"success":true,"message":"${message}","data":[`,
    ...(rows ?? []),
    `],"page":${page},"per_page":${perPage},"count":${count},"remaining":${remaining},"total":${total}}`,
  ]
}
