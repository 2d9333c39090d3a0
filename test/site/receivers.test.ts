import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, test } from 'node:test'
import { startApp } from '../support/app.ts'
import { atFileEnd } from '../support/endings.ts'
import { createWorld, leadBody } from '../support/factories.ts'
import { freePort } from '../support/free-port.ts'
import { temporaryFolder, userEnvironment } from '../support/process.ts'
import { snippetPages } from '../support/snippets.ts'

const languages = [
  { file: 'receiver.ts', name: 'TypeScript', command: [process.execPath, 'receiver.ts'] },
  {
    file: 'receiver.py',
    name: 'Python',
    command: ['python3', 'receiver.py'],
    asks: ['python3', '--version'],
  },
  { file: 'receiver.go', name: 'Go', command: ['go', 'run', 'receiver.go'], asks: ['go', 'version'] },
]

/** False where a language is there, else why not. */
function missing(name: string, asks?: string[]): string | false {
  if (!asks) return false
  const { status } = spawnSync(asks[0]!, asks.slice(1))
  return status === 0 ? false : `${name} is not installed on this machine`
}

/** A program of the guide that is started, and what it prints line by line. */
async function start(command: string[], env: Record<string, string>, cwd: string) {
  const child: ChildProcess = spawn(command[0]!, command.slice(1), {
    cwd,
    env: userEnvironment(env),
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const end = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL')
  }
  atFileEnd(end)
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const next = async () => String((await lines.next()).value)
  assert.equal(await next(), 'listening')
  return {
    next,
    async end() {
      end()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

describe('the receivers of the guide on webhooks', () => {
  for (const { file, name, command, asks } of languages) {
    test(`in ${name}: takes what we sign, and nothing else`, {
      skip: missing(name, asks ?? undefined),
    }, async () => {
      const port = await freePort()
      const app = await startApp({ env: { OUTBOUND_TRUSTED_HOSTS: `localhost:${port}` } })
      const { installer } = await createWorld(app.database.db)
      const post = (path: string, body: unknown) =>
        app.call('POST', `/catalog/v1/webhooks${path}`, { key: installer.key, body })
      const url = `http://localhost:${port}/sunstead`
      const { body: hook } = await post('', { url, events: ['lead.created'] })
      const folder = await temporaryFolder()
      const snippet = snippetPages()
        .flatMap(({ snippets }) => snippets)
        .find((one) => one.file === file)!
      writeFileSync(join(folder.path, file), snippet.text)
      const env = { PORT: String(port), WEBHOOK_SECRET: hook.secret }
      const receiver = await start(command, env, folder.path)

      const tested = await post(`/${hook.id}/test`, undefined)
      assert.equal(tested.body.delivered, true, tested.text)
      assert.equal(await receiver.next(), `${tested.body.delivery_id} webhook.test`)
      await app.call('POST', '/v1/leads', { key: installer.key, body: leadBody })
      assert.match(await receiver.next(), /^evt_\w+ lead\.created$/)

      // While a secret is rotated a message is signed by both: who has the old one goes on.
      await post(`/${hook.id}/secret`, { grace_hours: 1 })
      assert.equal((await post(`/${hook.id}/test`, undefined)).body.delivered, true)
      assert.match(await receiver.next(), /webhook\.test$/)

      for (const headers of forged()) {
        const answer = await fetch(url, { method: 'POST', headers, body: '{"type":"lead.created"}' })
        assert.equal(answer.status, 400, JSON.stringify(headers))
      }
      // Without a grace the old one is worth nothing.
      await post(`/${hook.id}/secret`, { grace_hours: 0 })
      assert.equal((await post(`/${hook.id}/test`, undefined)).body.attempt.status, 400)
      await receiver.end()
      await folder.remove()
      await app.stop()
    })
  }
})

function forged(): Record<string, string>[] {
  const now = String(Math.floor(Date.now() / 1000))
  const good = {
    'webhook-id': 'evt_x',
    'webhook-timestamp': now,
    'webhook-signature': `v1,${'A'.repeat(43)}=`,
  }
  return [
    {},
    good,
    { ...good, 'webhook-signature': 'v1,' },
    { ...good, 'webhook-signature': 'v1,???' },
    { ...good, 'webhook-timestamp': 'soon' },
    { ...good, 'webhook-timestamp': '1' },
  ]
}
