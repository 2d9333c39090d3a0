import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'libpg-query'
import { exportDeals } from '../../src/domain/data/exports/export-deals.ts'
import type { Db } from '../../src/platform/db.ts'
import { startApp } from '../support/app.ts'
import { citusNodes } from '../support/citus.ts'
import { clockedTables } from '../support/clock-watch.ts'
import { createWorld, lead, project } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'
import { root } from '../support/process.ts'

const app = await startApp()
const { db, directories } = app.server.deps
const { installer } = await createWorld(db)
const owner = await signedIn(app, await addPerson(app, installer.company.id, 'owner'))
const leadId = await lead(installer)
const { projectId } = await project(installer)
const { key, company } = installer

/** Every place that says of a list that all it shows moves the clock, and how to read it. */
const lists: Record<string, () => Promise<unknown>> = {
  'src/api/console/leads.ts': () => owner.get('/leads'),
  'src/domain/deals/board/read-board.ts': async () => {
    const { columns } = (await owner.get('/board')).body
    const { stage } = columns.find(({ cards }: { cards: object[] }) => cards.length > 0)
    const sorts = ['', '?sort=newest', `/${stage.id}?after=`]
    for (const more of sorts) await owner.get(`/board${more}`)
    await owner.get('/board?search=ada')
  },
  'src/domain/deals/calendar/read-calendar.ts': () => owner.get('/calendar?from=2026-01-01&to=2026-02-01'),
  'src/domain/data/search/search.ts': () => owner.get('/search?q=ada'),
  'src/domain/data/home/read-home.ts': () => owner.get('/home'),
  'src/domain/deals/renderings/page.ts': async () => {
    await app.get('/v1/leads', key)
    await app.get('/v1/projects', key)
  },
  'src/domain/deals/leads/filtered-queries.ts': async () => {
    for (const asked of ['expand=project', 'externalId=1', 'search=ada'])
      await app.get(`/v1/leads?${asked}`, key)
  },
  'src/domain/deals/projects/filtered-queries.ts': async () => {
    for (const asked of ['expand=project', 'installDateFrom=2026-01-01', 'search=ada'])
      await app.get(`/v1/projects?${asked}`, key)
  },
  'src/domain/deals/renderings/counted-lists.ts': async () => {
    for (const kind of ['lead', 'project'])
      for (const page of [1, 2])
        await app.send('GET', `/legacy/fetch_all_${kind}?org_id=${company.number}&page=${page}`, { key })
  },
  'src/domain/data/exports/export-deals.ts': () => {
    const actor = {
      ...{ kind: 'job' as const, id: null, name: 'A test', canWrite: false },
      ...{ installerId: company.installerId, companyId: company.id, companyKind: company.kind },
    }
    const file = { write: async () => {}, close: async () => {} }
    const folder = { open: async () => file } as unknown as Parameters<typeof exportDeals>[1]
    return exportDeals({ db, directories, now: new Date(), actor }, folder, app.url)
  },
}

test('lists by the clock read tables whose changes are watched in every test', async (t) => {
  const places = globSync('src/{api,domain}/**/*.ts', { cwd: root }).filter((file) =>
    /['"]clocked['"],/.test(readFileSync(file, 'utf8')),
  )
  assert.deepEqual(Object.keys(lists).toSorted(), places.toSorted())
  const texts = new Set<string>()
  const { reading } = db
  t.mock.method(db, 'reading', ((tenant, shows, read) =>
    reading(tenant, shows, (from) => {
      if (shows !== 'clocked') return read(from)
      const query: typeof from.query = (statement, values) => {
        texts.add(statement.text)
        return from.query(statement, values)
      }
      return read({ ...from, query })
    })) as typeof reading)
  const read = new Set<string>()
  for (const [place, list] of Object.entries(lists)) {
    texts.clear()
    await list()
    assert.ok(texts.size > 0, `nothing was read by ${place}`)
    for (const text of texts) for (const table of await tablesIn(text)) read.add(table)
  }
  read.delete('tenant_clocks')
  assert.deepEqual([...read].toSorted(), Object.keys(clockedTables).toSorted())
})

const unwatched = citusNodes().length > 0 && 'Citus has no such triggers'
test('what is changed without the clock is not committed', { skip: unwatched }, async () => {
  const { installerId, id } = company
  const changes: Record<keyof typeof clockedTables, string> = {
    leads: `update leads set notes = 'x' where installer_id = $1 and id = '${leadId}'`,
    projects: `update projects set stage_entered_at = now() where installer_id = $1 and id = '${projectId}'`,
    lead_counts: 'update lead_counts set leads = 9 where installer_id = $1',
    project_counts: 'update project_counts set projects = 9 where installer_id = $1',
    calendar_entries: `insert into calendar_entries (installer_id, project_id, kind, day)
      values ($1, '${projectId}', 'survey', '2026-01-01')`,
    files: `insert into files (installer_id, id, project_id, company_id, folder, name, source_url, source_hash, store_key, token,
        type, extension, inline, size, sha256, added_at, ordinal)
      values ($1, 'file_1', '${projectId}', '${id}', 'other', '', '', '', 'k', 't', '', '', false, 1, '', now(), 0)`,
    companies: `update companies set name = 'x' where installer_id = $1 and id = '${id}'`,
    members: `insert into members (installer_id, id, company_id, email, name, role, created_at)
      values ($1, 'memb_1', '${id}', 'x@example.com', 'X', 'rep', now())`,
    stages: `update stages set name = name || '.' where installer_id = $1`,
    webhooks: `insert into webhooks (installer_id, company_id, id, url, events, status, secrets, place, not_told, created_at)
      values ($1, '${id}', 'we_1', 'https://localhost:1/', '{invoice.voided}', 'disabled', '[]', 0, '{}', now())`,
  }
  assert.deepEqual(Object.keys(changes).toSorted(), Object.keys(clockedTables).toSorted())
  const moved = `update tenant_clocks set now = now + interval '1 ms' where installer_id = $1`
  for (const [table, text] of Object.entries(changes)) {
    await assert.rejects(db.query({ text }, [installerId]), /did not move the tenant's clock/, table)
    const both = async (tx: Db) => {
      await tx.query({ text }, [installerId])
      await tx.query({ text: moved }, [installerId])
    }
    await db.transaction(both)
  }
})

/** The tables that a statement names, without what it calls so itself. */
async function tablesIn(text: string): Promise<string[]> {
  const found = new Set<string>()
  const own = new Set<string>()
  // biome-ignore lint/suspicious/noExplicitAny: the parser's tree has a shape for every kind of node there is
  const walk = (node: any): void => {
    if (node === null || typeof node !== 'object') return
    if (node.RangeVar) found.add(node.RangeVar.relname)
    if (node.CommonTableExpr) own.add(node.CommonTableExpr.ctename)
    for (const child of Object.values(node)) walk(child)
  }
  walk(await parse(text))
  return [...found].filter((name) => !own.has(name))
}
