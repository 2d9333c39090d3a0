import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { countBacklog } from '../../src/domain/operations/backlog/queries.ts'
import { createDatabaseMetrics } from '../../src/platform/database-metrics.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { project } from '../support/factories.ts'
import { startWebhookApp } from '../support/webhook-app.ts'

const { app, world, receiver, register, eventually } = await startWebhookApp('3600')

interface Rule {
  alert: string
  expr: string
  annotations: { summary: string; runbook: string }
}

const rules: Rule[] = parse(readFileSync('ops/prometheus/alerts.yml', 'utf8')).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
)
const operations = readFileSync('docs/operations.md', 'utf8')
const described = [...readFileSync('docs/metrics.md', 'utf8').matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(
  ([, name, kind]) => ({ name: name!, kind: kind! }),
)

async function exposed(): Promise<Map<string, string>> {
  const { text } = await app.send('GET', '/metrics')
  return new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) => [name!, kind!]))
}

/** The metrics that an expression names: words that are no function, label or keyword of it. */
function metricsIn(expr: string): string[] {
  const bare = expr
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(by|without)\s*\([^)]*\)/g, '')
  return [...bare.matchAll(/\b[a-z][a-z0-9_]*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => name.includes('_') || name === 'up')
}

const own = (name: string) => name.replace(/_(bucket|sum|count)$/, '')

test('every metric is described, by its kind, and none that is not there', async () => {
  const there = [...(await exposed())].filter(([name]) => !/^(nodejs|process)_/.test(name))
  assert.deepEqual(
    described.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    there.map(([name, kind]) => ({ name, kind })).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  )
})

const dashboard = JSON.parse(readFileSync('ops/grafana/sunstead.json', 'utf8'))
const asked: { where: string; expr: string }[] = [
  ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
  ...dashboard.panels.flatMap(({ title, targets = [] }: { title: string; targets?: { expr: string }[] }) =>
    targets.map(({ expr }) => ({ where: title, expr })),
  ),
]

test('rules and dashboard ask for metrics that are there', async () => {
  const there = await exposed()
  assert.ok(asked.length > 40)
  for (const { where, expr } of asked) {
    const names = metricsIn(expr)
    assert.ok(names.length > 0, `${where}: ${expr}`)
    for (const name of names)
      assert.ok(
        name === 'up' || there.has(name) || there.has(own(name)),
        `${where} asks for ${name}, which is not there`,
      )
  }
})

/** What Prometheus puts on each series itself. A label of ours by such a name is called `exported_…` there. */
const prometheusLabels = ['job', 'instance']

test('no label is called as Prometheus’s own are, and rules and dashboard ask for those that are there', () => {
  const { registry } = createMetrics()
  createDatabaseMetrics(registry, {})
  const labels = new Map(
    registry.getMetricsAsArray().map((metric) => {
      const { name, labelNames = [] } = metric as unknown as { name: string; labelNames?: string[] }
      return [name, labelNames]
    }),
  )
  for (const [name, its] of labels)
    for (const label of its) assert.ok(!prometheusLabels.includes(label), `${name} has a label ${label}`)
  for (const { where, expr } of asked) {
    const its = new Set([
      ...prometheusLabels,
      ...metricsIn(expr).flatMap((name) => (name.endsWith('_bucket') ? ['le'] : [])),
      ...metricsIn(expr).flatMap((name) => labels.get(name) ?? labels.get(own(name)) ?? []),
    ])
    const named = [
      ...[...expr.matchAll(/[{,]\s*(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
      ...[...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/,\s*/)),
    ]
    for (const label of named) assert.ok(its.has(label), `${where} asks for a label ${label}: ${expr}`)
  }
})

test('an alert of what has stopped also fires where its series has gone', () => {
  for (const { alert, expr } of rules.filter((rule) => /time\(\) -|^up\b/.test(rule.expr)))
    assert.match(expr, /or absent\(/, alert)
})

test('every alert has its page in the runbook', () => {
  const headings = new Set([...operations.matchAll(/^### (.+)$/gm)].map(([, title]) => title!.toLowerCase()))
  for (const { alert, annotations } of rules) {
    assert.equal(annotations.runbook, `docs/operations.md#${alert.toLowerCase()}`)
    assert.ok(headings.has(alert.toLowerCase()), `${alert} has no page`)
  }
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
})

const promtool = spawnSync('promtool', ['--version']).error ? 'promtool is not installed here' : false
test('Prometheus takes the rules', { skip: promtool }, () => {
  execFileSync('promtool', ['check', 'rules', 'ops/prometheus/alerts.yml'])
})

async function value(series: string): Promise<number> {
  const { text } = await app.send('GET', '/metrics')
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? Number.NaN : Number(line.slice(series.length + 1))
}

test('statements and jobs are counted', async () => {
  await eventually(
    'a job has run',
    async () => (await value('job_runs_total{name="make partitions",result="done"}')) >= 1,
  )
  assert.ok(
    (await value('job_last_success_timestamp_seconds{name="make partitions"}')) > Date.now() / 1000 - 300,
  )
  for (let i = 0; i < 40; i++) await app.get('/v1/projects', world.installer.key)
  assert.ok((await value('database_shared_statement_seconds_count{for="calls",kind="read"}')) >= 1)
  assert.ok((await value('database_connections{for="calls",pool="reads",state="idle"}')) >= 1)
  assert.equal(await value('database_waiting{for="calls",pool="pool"}'), 0)
})

test('deliveries are counted by how they ended, and what waits is known', async () => {
  const good = await register()
  const bad = await register()
  receiver.behave(bad.path, (response) => response.writeHead(500).end())
  await project(world.installer)
  await receiver.arrived(good.path, 1)
  await eventually('both were counted', async () => {
    const delivered = await value('webhook_deliveries_total{result="delivered"}')
    return delivered >= 1 && (await value('webhook_deliveries_total{result="retried"}')) >= 1
  })
  assert.ok((await value('webhook_delivery_seconds_count')) >= 2)
  await eventually('the endpoint is known to fail', async () => {
    const { webhooks } = await countBacklog(app.database.db)
    return webhooks.failing === 1 && webhooks.retrying >= 1
  })
  await eventually('its next attempt waits in the queue', async () => {
    const { queue } = await countBacklog(app.database.db)
    return queue.some(({ task, later }) => task === 'deliver' && later >= 1)
  })
})
