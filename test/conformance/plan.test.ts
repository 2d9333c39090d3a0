import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chapters, type Written } from '../../src/conformance/chapters.ts'
import { runConformance } from '../../src/conformance/run.ts'
import { type Asked, startFaultyProxy } from './faulty-proxy.ts'
import { startJudgedServer } from './judged-server.ts'

const server = await startJudgedServer()
const proxy = await startFaultyProxy()

function written({ path, body, query }: Asked, hiProject: string): Written {
  if (path.includes(hiProject) || path.endsWith('_hi')) return 'hi project'
  if (query.get('id') === hiProject || JSON.stringify(body ?? '').includes(hiProject)) return 'hi project'
  if (/\/files$|upload_file$/.test(path)) return 'files'
  const [, kind] = /(panel|installation|webhook|project|stage|activity|lead)/.exec(path.split('/v1').at(-1)!)!
  if (kind === 'lead') return 'leads'
  return kind === 'stage' || kind === 'activity' ? 'projects' : (`${kind}s` as Written)
}

test('each chapter writes what is said of it, and nothing else', async () => {
  const target = server.target(proxy.url)
  const found: Written[][] = []
  for (const { rules } of chapters) {
    const kinds = new Set<Written>()
    const fault = {
      name: 'none',
      fails: [],
      within: [],
      when: ({ method }: Asked) => method !== 'GET',
      answer: ({ status }: { status: number }, asked: Asked) => {
        if (status < 300) kinds.add(written(asked, target.hiProject!))
      },
    }
    proxy.plant(fault, server.app.url)
    await runConformance(target, { only: rules.map(({ id }) => id), rateLimit: false })
    found.push([...kinds].sort())
  }
  const said = chapters.map(({ rules, writes }) => [rules[0]!.id, [...writes].sort()])
  assert.deepEqual(
    chapters.map(({ rules }, i) => [rules[0]!.id, found[i]]),
    said,
  )
})
