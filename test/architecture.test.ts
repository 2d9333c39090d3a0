import assert from 'node:assert/strict'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { root, run, temporaryFolder } from './support/process.ts'

const cruiser = join(root, 'node_modules/.bin/depcruise')
const config = join(root, '.dependency-cruiser.cjs')

test('the architecture check reads every module of the server and of the console, and says how many', async () => {
  const { stdout, code } = await run([cruiser, 'src', 'web', '--config', config], { PATH: process.env.PATH! })
  const read = Number(/\((\d+) modules/.exec(stdout)?.[1])
  assert.equal(code, 0, stdout)
  const there = globSync(['src/**/*.ts', 'web/**/*.{ts,tsx}'], { cwd: root })
  const modules = there.filter((file) => !file.startsWith('web/dist/'))
  assert.ok(modules.length > 900, `${modules.length} modules there`)
  assert.ok(read >= modules.length, `${read} of ${modules.length} modules read`)
})

/** What the check says of these files alone. */
async function checkPlanted(files: Record<string, string>) {
  const folder = await temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder.path, dirname(path)), { recursive: true })
    writeFileSync(join(folder.path, path), text)
  }
  const { stdout, code } = await run(
    [cruiser, 'src', '--config', config],
    { PATH: process.env.PATH! },
    folder.path,
  )
  await folder.remove()
  return { stdout, failed: code !== 0 }
}

test('the architecture check fails on a planted circle and on a wrong turn', async () => {
  const { stdout, failed } = await checkPlanted({
    'src/domain/kernel/a.ts': `import { b } from './b.ts'\nexport const a: number = b\n`,
    'src/domain/kernel/b.ts': `import type { a } from './a.ts'\nexport const b: typeof a = 1\n`,
    'src/platform/c.ts': `import { a } from '../domain/kernel/a.ts'\nexport const c = a\n`,
    'src/conformance/d.ts': `import { c } from '../platform/c.ts'\nexport const d = c\n`,
    'src/jobs/e.ts': `import { d } from '../conformance/d.ts'\nexport const e = d\n`,
  })
  assert.ok(failed)
  assert.match(stdout, /no-circle/)
  assert.match(stdout, /platform-knows-nothing/)
  assert.match(stdout, /conformance-knows-no-server: src\/conformance\/d/)
  assert.match(stdout, /conformance-is-for-the-command-line: src\/jobs\/e/)
})

test('the architecture check fails on an import that runs up between packages, on a circle of two, and beside them', async () => {
  const { stdout, failed } = await checkPlanted({
    // Only a type, and no circle of files.
    'src/domain/kernel/money.ts': `import type { Lead } from '../deals/leads/lead.ts'\nexport type Owed = Lead\n`,
    // A circle of two packages: each file is in none.
    'src/domain/deals/leads/lead.ts': `import { plan } from '../../billing/plans/plan.ts'\nexport type Lead = typeof plan\n`,
    'src/domain/billing/plans/plan.ts': `export const plan = 1\n`,
    'src/domain/billing/runs/run.ts': `import type { Note } from '../../deals/note.ts'\nexport type Run = Note\n`,
    'src/domain/deals/note.ts': `export type Note = string\n`,
    'src/domain/odds.ts': `export const odd = 1\n`,
    'src/domain/data/search.ts': `import { odd } from '../odds.ts'\nexport const found = odd\n`,
  })
  assert.ok(failed)
  assert.deepEqual([...stdout.matchAll(/error (\S+):/g)].map(([, rule]) => rule).sort(), [
    'deals-imports-downwards',
    'domain-in-packages',
    'kernel-imports-downwards',
  ])
})

/** A wrong turn of the console for each rule: the file that takes it, what it says, and where it leads. */
const wrongTurns: [rule: string, from: string, text: string, to: string][] = [
  ['no-circle', 'web/pages/a/one.tsx', "import './other.tsx'", 'web/pages/a/other.tsx'],
  ['no-circle', 'web/pages/a/other.tsx', "import './one.tsx'", 'web/pages/a/one.tsx'],
  ['no-circle-of-pages', 'web/pages/b/b.tsx', "import '../c/c.tsx'", 'web/pages/c/c.tsx'],
  ['no-circle-of-pages', 'web/pages/c/d.tsx', "import '../b/e.tsx'", 'web/pages/b/e.tsx'],
  ['texts-are-words', 'web/texts/a.ts', "import '../ui/b.ts'", 'web/ui/b.ts'],
  ['console-api-calls', 'web/api/a.ts', "import '../ui/b.ts'", 'web/ui/b.ts'],
  ['ui-knows-no-page', 'web/ui/a.tsx', "import '../session/b.ts'", 'web/session/b.ts'],
  ['parts-know-no-page', 'web/session/a.tsx', "import '../shell/b.tsx'", 'web/shell/b.tsx'],
  ['shell-knows-no-page', 'web/shell/a.tsx', "import '../pages/f/f.tsx'", 'web/pages/f/f.tsx'],
  ['pages-know-no-route', 'web/pages/g/g.tsx', "import '../../routes/b.tsx'", 'web/routes/b.tsx'],
  ['console-takes-types', 'web/live/a.ts', "export type * from '../../src/domain/b.ts'", 'src/domain/b.ts'],
  [
    'console-takes-only-types',
    'web/live/b.ts',
    "import '../../src/api/console/b.ts'",
    'src/api/console/b.ts',
  ],
  [
    'shared-takes-only-types',
    'src/domain/deals/sale/fitting.ts',
    "import './b.ts'",
    'src/domain/deals/sale/b.ts',
  ],
  ['server-knows-no-page', 'src/api/console/a.ts', "import '../../../web/ui/b.ts'", 'web/ui/b.ts'],
]

test('the architecture check fails on each wrong turn that the console could take', async () => {
  const folder = await temporaryFolder()
  const files = [
    ...wrongTurns.map(([, , , to]) => [to, '']),
    ...wrongTurns.map(([, from, text]) => [from, text]),
  ]
  for (const [file, text] of files) {
    mkdirSync(join(folder.path, dirname(file!)), { recursive: true })
    writeFileSync(join(folder.path, file!), `${text}\nexport {}\n`)
  }
  const { stdout } = await run(
    [cruiser, 'src', 'web', '--config', config],
    { PATH: process.env.PATH! },
    folder.path,
  )
  for (const [rule, from] of wrongTurns) {
    const place = rule.startsWith('no-circle') ? dirname(from) : from
    assert.ok(stdout.includes(`error ${rule}: ${place}`), `${rule} at ${place}\n${stdout}`)
  }
  await folder.remove()
})

const tenantTables = [
  ...[
    'leads',
    'projects',
    'activities',
    'events',
    'checklist_items',
    'calendar_entries',
    'notifications',
    'mails',
  ],
  ...[
    'files',
    'adders',
    'equipment',
    'members',
    'stages',
    'tenant_clocks',
    'idempotency_keys',
    'submissions',
  ],
  ...['imports', 'import_leads', 'import_problems', 'company_logos', 'long_jobs'],
  ...['shared_links', 'storage_usage', 'invitations', 'saved_views', 'calendar_feeds', 'request_batches'],
  ...['api_key_hours'],
  ...['installations', 'panels', 'panel_counts', 'readings', 'panel_days', 'installation_days'],
  ...['webhooks', 'webhook_cursors', 'webhook_messages', 'webhook_deliveries'],
  ...['stage_moves', 'legacy_sources', 'legacy_records', 'legacy_files', 'lead_counts', 'project_counts'],
  ...['alerts', 'alert_counts', 'installation_counts', 'invoice_counts', 'reporting_silences'],
  ...['quarantined_readings', 'quarantine_counts', 'quarantine_totals', 'coverage_months'],
  ...['billing_plans', 'invoices', 'invoice_counters', 'invoice_payments', 'billed_energy', 'billing_months'],
  ...[
    'invoice_sums',
    'plan_counts',
    'billing_run_outcomes',
    'credits',
    'credit_counts',
    'credit_uses',
    'credit_refunds',
  ],
]

test('the installer stands first in every key and index of a tenant table', () => {
  const migrations = globSync('migrations/*.sql', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  )
  const text = migrations.join('\n')
  const indexes = [...text.matchAll(/create (?:unique )?index (\w+) on (\w+) \((\w+)/g)]
  const ours = indexes.filter(([, , table]) => tenantTables.includes(table!))
  assert.ok(ours.length >= 25)
  assert.deepEqual(
    ours.filter(([, , , first]) => first !== 'installer_id').map(([, name]) => name),
    // A person is one whatever they work for; links and the addresses of feeds and proposals name no company.
    [
      'members_by_address',
      'members_of_account',
      'invitations_by_token',
      'invitations_by_email',
      'mails_with_link',
      'projects_by_proposal',
      'calendar_feeds_by_token',
    ],
  )
  for (const table of tenantTables) {
    const definition = new RegExp(`create table ${table} \\(([\\s\\S]*?)\\n\\)`).exec(text)![1]!
    assert.match(definition, /primary key \(installer_id\b|installer_id\s+text primary key/, table)
  }
})

test('each of the fifteen rules of docs/architecture.md is found in three looks, the route file first', () => {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const rows = text.split('\n').filter((line) => /^\| .* \| `api\//.test(line))
  assert.equal(rows.length, 15)
  for (const row of rows) {
    const looks = [...row.matchAll(/`((?:api|domain)\/[\w./-]+\.ts)`/g)].map(([, path]) => `src/${path}`)
    assert.ok(looks.length >= 2 && looks.length <= 3, row)
    for (const [i, path] of looks.entries()) {
      const source = readFileSync(join(root, path), 'utf8')
      const imported = [...source.matchAll(/from '(\.[^']+)'/g)].map(([, to]) => join(dirname(path), to!))
      const next = looks[i + 1]
      assert.ok(next === undefined || imported.includes(next), `${path} does not import ${next}`)
    }
  }
})
