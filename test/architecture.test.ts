import assert from 'node:assert/strict'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root, run, temporaryFolder } from './support/process.ts'

const cruiser = join(root, 'node_modules/.bin/depcruise')
const config = join(root, '.dependency-cruiser.cjs')

test('the architecture check reads every module of src', async () => {
  const { stdout, code } = await run([cruiser, 'src', '--config', config], { PATH: process.env.PATH! })
  const read = Number(/\((\d+) modules/.exec(stdout)?.[1])
  assert.equal(code, 0, stdout)
  assert.ok(read >= globSync('src/**/*.ts', { cwd: root }).length, `${read} modules read`)
})

test('the architecture check fails on a planted circle and on a wrong turn', async () => {
  const folder = await temporaryFolder()
  mkdirSync(join(folder.path, 'src/domain'), { recursive: true })
  mkdirSync(join(folder.path, 'src/platform'))
  writeFileSync(
    join(folder.path, 'src/domain/a.ts'),
    `import { b } from './b.ts'\nexport const a: number = b\n`,
  )
  writeFileSync(
    join(folder.path, 'src/domain/b.ts'),
    `import type { a } from './a.ts'\nexport const b: typeof a = 1\n`,
  )
  writeFileSync(
    join(folder.path, 'src/platform/c.ts'),
    `import { a } from '../domain/a.ts'\nexport const c = a\n`,
  )
  const { stdout, code } = await run(
    [cruiser, 'src', '--config', config],
    { PATH: process.env.PATH! },
    folder.path,
  )
  assert.notEqual(code, 0)
  assert.match(stdout, /no-circle/)
  assert.match(stdout, /platform-knows-nothing/)
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
  ...['imports', 'import_leads', 'import_problems', 'reassignments', 'company_logos'],
  ...['shared_links', 'storage_usage', 'invitations', 'saved_views', 'calendar_feeds', 'request_batches'],
  ...['api_key_hours'],
  ...['installations', 'panels', 'panel_counts', 'readings', 'panel_days', 'installation_days'],
  ...['webhooks', 'webhook_cursors', 'webhook_messages', 'webhook_deliveries'],
  ...['stage_moves'],
  ...['alerts', 'alert_counts', 'installation_counts', 'invoice_counts', 'reporting_silences'],
  ...['quarantined_readings', 'quarantine_counts', 'coverage_months'],
  ...['billing_plans', 'invoices', 'invoice_counters', 'invoice_payments', 'billed_energy', 'billing_months'],
  ...['billing_runs', 'billing_run_outcomes', 'credits', 'credit_counts', 'credit_uses', 'credit_refunds'],
]

/** SQL texts of a source file: string literals that read or write a table. What is declared is proven by its own test. */
function statements(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  if (text.includes('platform/sql/sql.ts')) return []
  const literals = [...text.matchAll(/`(?:[^`\\]|\\.)*`|'(?:[^'\\\n]|\\.)*'/g)].map((match) => match[0])
  return literals.filter((literal) => /\b(from|into|update|join)\s+[a-z_$]/i.test(literal))
}

test('every statement on a tenant table names the installer', () => {
  const tables = new RegExp(
    `\\b(from|into|update|join)\\s+(${tenantTables.join('|')}|\\$\\{table\\})\\b`,
    'i',
  )
  const found = globSync('src/**/*.ts', { cwd: root }).flatMap((file) =>
    statements(file)
      .filter((statement) => tables.test(statement))
      .map((statement) => ({ file, statement })),
  )
  assert.ok(found.length >= 30, `only ${found.length} statements found`)
  const open = found.filter(({ statement }) => !/installer_id/.test(statement))
  assert.deepEqual(
    open.map(({ file, statement }) => `${file}: ${statement.slice(0, 80)}`),
    [],
  )
})

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
      'members_by_person',
      'calendar_feeds_by_token',
      'projects_by_proposal',
      'members_by_address',
      'members_of_account',
      'invitations_by_token',
      'invitations_by_email',
      'mails_with_link',
    ],
  )
  for (const table of tenantTables) {
    const definition = new RegExp(`create table ${table} \\(([\\s\\S]*?)\\n\\)`).exec(text)![1]!
    assert.match(definition, /primary key \(installer_id\b|installer_id\s+text primary key/, table)
  }
})
