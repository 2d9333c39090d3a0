import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { type App, startApp } from '../support/app.ts'
import { createWorld, project, type World } from '../support/factories.ts'
import { root, run, temporaryFolder } from '../support/process.ts'
import { type Snippet, type SnippetPage, snippetPages } from '../support/snippets.ts'

/** How a block is run. What listens until it is ended has a test of its own (receivers.test.ts). */
const runners: Record<string, (file: string) => string[]> = {
  sh: (file) => ['bash', '-eu', file],
  ts: (file) => [process.execPath, file],
}
const shown = ['json', 'http']
const pages = snippetPages()

describe('the guides', () => {
  let app: App
  let world: World
  let env: Record<string, string>

  before(async () => {
    app = await startApp({ env: { OUTBOUND_TRUSTED_HOSTS: 'example.com:443' } })
    world = await createWorld(app.database.db)
    const { projectId } = await project(world.installer, { firstName: 'Ada' })
    for (let i = 0; i < 3; i++) await project(world.installer, { firstName: `Grace ${i}` })
    env = { PATH: process.env.PATH!, SUNSTEAD_KEY: world.installer.key, PROJECT: projectId }
  })

  for (const { name, snippets } of pages) {
    test(`${name}: what it shows runs, and answers what it says`, async () => {
      const folder = await snippetFolder()
      const runs = snippets.filter(({ file, language }) => language in runners && file !== 'receiver.ts')
      for (const [i, snippet] of runs.entries()) {
        const file = snippet.file ?? `${i}.${snippet.language}`
        writeFileSync(join(folder.path, file), here(snippet.text))
        const done = await run(runners[snippet.language]!(file), env, folder.path)
        assert.equal(done.code, 0, `${name}\n${snippet.text}\n${done.stderr}${done.stdout}`)
        assert.doesNotMatch(done.stdout, snippet.answer ? /^$/ : /"error"/, snippet.text)
        if (snippet.answer) assertLike(JSON.parse(done.stdout), snippet.answer, name)
        expectations[snippet.file ?? name]?.(done.stdout)
      }
      await folder.remove()
    })
  }

  test('a sync goes on from where it was', async () => {
    const sync = find('sync.ts')
    const folder = await temporaryFolder()
    writeFileSync(join(folder.path, 'sync.ts'), here(sync.text))
    const counted = async () => {
      const { stdout, stderr } = await run([process.execPath, 'sync.ts'], env, folder.path)
      assert.match(stdout, /^\d+ leads\n$/, stderr)
      return Number.parseInt(stdout, 10)
    }
    const first = await counted()
    await project(world.installer, { firstName: 'Late' })
    assert.equal(await counted(), first + 1)
    assert.equal(await counted(), first + 1)
    await folder.remove()
  })

  /** With this server's address in place of the default one, as a page is shown by it. */
  function here(text: string): string {
    return text.replaceAll('http://127.0.0.1:8080', app.url)
  }
})

/** By file, or by page where a block is none. */
const expectations: Record<string, (output: string) => void> = {
  'agents.md': (output) => assert.match(output, /"name":"who_am_i"/),
  'quickstart.ts': (output) => assert.match(output, /^Ada is new: http/),
  'pages.ts': (output) => assert.match(output, /4 projects\n$/),
  'use-call.ts': (output) => assert.match(output, /^lastName is required$/m),
  'paced.ts': (output) => assert.match(output, /^200 \d+\n$/),
  'upload.ts': (output) => assert.equal(output, 'roof.pdf added\n'),
  'sdk-first.ts': (output) => assert.match(output, /invalid email\n$/),
  'sdk-sync.ts': (output) => assert.match(output, /^[1-9]\d* leads changed/),
  'sdk-webhook.ts': (output) => assert.equal(output, '400\n'),
  'move-lead.ts': (output) => assert.match(output, /^\w{10} San Diego\n$/),
}

function find(file: string): Snippet {
  return pages.flatMap(({ snippets }) => snippets).find((snippet) => snippet.file === file)!
}

test('the guide for agents names every tool, and none that is not there', () => {
  const folder = join(root, 'src/api/mcp/tools')
  const tools = readdirSync(folder).flatMap((name) => {
    const source = readFileSync(join(folder, name), 'utf8')
    return [...source.matchAll(/Tool\(\{\s+name: '(\w+)'/g)].map(([, tool]) => tool)
  })
  assert.ok(tools.length >= 15)
  const guide = readFileSync(join(root, 'docs/guides/agents.md'), 'utf8')
    .split('## Tools')[1]!
    .split('## Text')[0]!
  const rows = guide.split('\n').filter((line) => line.startsWith('| `'))
  const named = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, tool]) => tool))
  assert.deepEqual(named.sort(), tools.sort())
})

test('no block is of a kind that nobody runs', () => {
  const known = [...Object.keys(runners), ...shown, 'python', 'go']
  const others = pages.flatMap(({ name, snippets }: SnippetPage) =>
    snippets
      .filter(({ language }) => !known.includes(language))
      .map(({ language }) => `${name}: ${language}`),
  )
  assert.deepEqual(others, [])
  assert.ok(pages.length >= 10)
  assert.ok(pages.flatMap(({ snippets }) => snippets).length > 25)
})

test('what is shown in TypeScript holds to its types', async () => {
  const folder = await snippetFolder()
  const files = pages.flatMap(({ snippets }) => snippets).filter(({ language }) => language === 'ts')
  for (const { file, text } of files) writeFileSync(join(folder.path, file!), `${text}\nexport {}\n`)
  const config = { extends: join(root, 'tsconfig.json'), include: ['*.ts'] }
  writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }')
  const options = { noPropertyAccessFromIndexSignature: false }
  writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify({ ...config, compilerOptions: options }))
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder.path], { encoding: 'utf8' })
  assert.equal(stdout, '')
  await folder.remove()
})

/** A folder as a program has that installed the SDK. */
async function snippetFolder() {
  const folder = await temporaryFolder()
  const modules = join(folder.path, 'node_modules')
  mkdirSync(modules)
  symlinkSync(root, join(modules, 'sunstead'))
  for (const name of ['@types', 'undici-types'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  return folder
}

/** What is shown is the whole answer: the same fields, each of its kind. What may be null may be either. */
function assertLike(actual: unknown, expected: unknown, where: string): void {
  if (actual === null || expected === null) return
  assert.equal(Array.isArray(actual), Array.isArray(expected), where)
  assert.equal(typeof actual, typeof expected, where)
  if (Array.isArray(expected)) {
    if (expected.length > 0 && (actual as unknown[]).length > 0)
      assertLike((actual as unknown[])[0], expected[0], `${where}[0]`)
  } else if (typeof expected === 'object') {
    assert.deepEqual(Object.keys(expected!).sort(), Object.keys(actual as object).sort(), where)
    for (const [name, one] of Object.entries(expected!))
      assertLike((actual as Record<string, unknown>)[name], one, `${where}.${name}`)
  }
}
