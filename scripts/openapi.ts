// Writes openapi/*.json from the routes; with --check, fails where the committed files differ.
import { readFile, writeFile } from 'node:fs/promises'
import type { Deps } from '../src/api/deps.ts'
import { buildApp } from '../src/app.ts'
import { addressesOf, readConfig } from '../src/config.ts'
import { createLog } from '../src/platform/log.ts'
import { createMetrics } from '../src/platform/metrics.ts'

const config = readConfig({})
// Describing needs no database: the routes are built, none is called but the description's own.
const deps = {
  db: { isBusy: () => false },
  addresses: addressesOf(config, config.port),
  trustedProxies: config.trustedProxies,
  log: createLog('silent'),
  metrics: createMetrics(),
  state: { phase: 'ready' },
} as unknown as Deps
const app = await buildApp(deps)

const documents = {
  'company-key-api.json': '/v1/openapi.json',
  'legacy-workflow-api.json': '/legacy/openapi.json',
  'catalogue-api.json': '/catalog/v1/openapi.json',
}
const check = process.argv.includes('--check')
for (const [name, url] of Object.entries(documents)) {
  const file = new URL(`../openapi/${name}`, import.meta.url)
  const text = `${JSON.stringify((await app.inject({ url })).json(), null, 2)}\n`
  if (!check) await writeFile(file, text)
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error(`openapi/${name} is not what the routes describe. Run "npm run openapi" and commit it.`)
    process.exitCode = 1
  }
}
await app.close()
