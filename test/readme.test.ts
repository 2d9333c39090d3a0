import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, symlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { freePort } from './support/free-port.ts'
import { root, run, startProcess, temporaryFolder } from './support/process.ts'

/**
 * A checkout as a newcomer has it after the install: every tracked or new file, and of what a first start makes only the
 * console, which was built by the same step before the tests.
 */
function copyCheckout(target: string): void {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of [...files.split('\n').filter(Boolean), 'web/dist']) {
    cpSync(join(root, file), join(target, file), { recursive: true, force: true, preserveTimestamps: true })
  }
  symlinkSync(join(root, 'node_modules'), join(target, 'node_modules'))
}

test("the README's commands work as pasted", async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]!.trim())
  assert.ok(blocks.includes('npm start') && blocks.includes('npm test'))
  const folder = await temporaryFolder()
  copyCheckout(folder.path)
  // The default port may be taken on this machine; everything else is as a newcomer has it.
  const port = await freePort()
  const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
  const server = await startProcess({ ...env, PORT: String(port) }, ['npm', 'start'], folder.path)
  try {
    assert.match(server.output(), /psk_[0-9a-f]{40}/)
    const demo = JSON.parse(await readFile(join(folder.path, 'data/demo.json'), 'utf8'))
    assert.equal(demo.companies[0].orgId, 1001)
    const rest = blocks.filter((block) => !/^npm (start|test)$/.test(block))
    assert.ok(rest.length >= 3)
    for (const block of rest) {
      const command = block.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
      const { code, stdout, stderr } = await run(
        ['sh', '-ec', command],
        { ...env, PORT: String(port) },
        folder.path,
      )
      assert.equal(code, 0, `${block}\n${stderr}`)
      assert.notEqual(stdout.trim(), '')
      assert.doesNotMatch(stdout, /"error"|PROBLEM/, block)
    }
  } finally {
    await server.end('SIGTERM')
    await folder.remove()
  }
})
