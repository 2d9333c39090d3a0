import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { curlOf } from '../../site/example.ts'
import { readInterfaces } from '../../site/openapi.ts'
import { type App, startApp } from '../support/app.ts'
import { createWorld, type World } from '../support/factories.ts'
import { run } from '../support/process.ts'

/** The fields of bodies that name another record: the example's is made up. */
const namesRecord = /(^|[._])(id|ids|url)$|Id$|_id$|panels|inverters|adders|org_id/

describe('the examples of the reference', () => {
  let app: App
  let world: World

  before(async () => {
    app = await startApp({ env: { OUTBOUND_TRUSTED_HOSTS: 'hooks.example.com:443' } })
    world = await createWorld(app.database.db)
  })

  for (const api of readInterfaces())
    test(`${api.name}: the server takes each as it is pasted, but for ids that are made up`, async () => {
      const wrong: string[] = []
      for (const call of api.tags.flatMap(({ calls }) => calls)) {
        const command = curlOf(api, call).replaceAll('http://127.0.0.1:8080', app.url)
        const env = { PATH: process.env.PATH!, SUNSTEAD_KEY: world.installer.key }
        const { code, stdout } = await run(['bash', '-euc', `${command} -w '\\n%{http_code}'`], env)
        const [, body, status] = /^([\s\S]*)\n(\d+)$/.exec(stdout)!
        assert.equal(code, 0, command)
        const isTaken = /^20[0124]$/.test(status!) || status === '404'
        if (!isTaken && !(status === '400' && isOfRecords(body!))) wrong.push(`${status} ${body}\n${command}`)
      }
      assert.deepEqual(wrong, [])
    })
})

function isOfRecords(body: string): boolean {
  const { error, fields = error?.fields ?? [] } = JSON.parse(body)
  return fields.length > 0 && fields.every(({ path }: { path: string }) => namesRecord.test(path))
}
