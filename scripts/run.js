// Runs a program of this checkout on the Node that it brings, installing what is missing first.
// Plain JavaScript for Node 20 and newer: this is what runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { becomeServer, serverStart } from '../bin/as-server.js'
import { buildConsole } from './build-console.js'
import { buildDocs } from './build-docs.js'
import { buildServer } from './build-server.js'
import { isMain } from './is-main.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules/.bin')

/** Whether what is installed is older than what is asked for. npm writes its own lockfile last. */
function installNeeded() {
  const installed = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(installed) || !existsSync(join(bin, 'node'))) return true
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const there = JSON.parse(readFileSync(installed, 'utf8')).packages
  return Object.entries(wanted).some(
    ([path, { version, optional, peer, devOptional }]) =>
      path !== '' && !optional && !peer && !devOptional && there[path]?.version !== version,
  )
}

export function install() {
  if (!installNeeded()) return
  console.log('Installing dependencies …')
  // Not "npm ci": it refuses a lockfile that leaves out other platforms' optional packages. By the npm that
  // runs us, not another that PATH may find, and without touching the lockfile.
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
  const [command, ...args] = [...npm, 'install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  if (spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0) return
  console.error(
    'npm install did not succeed: see above. Check the connection to the package registry, then retry.',
  )
  process.exit(1)
}

function run([...args]) {
  const node = join(bin, 'node')
  const file = args.find((arg) => !arg.startsWith('--'))
  // On the right Node already (npm finds it first once installed): no second process is needed.
  if (file === args[0] && statSync(process.execPath).ino === statSync(node).ino) {
    process.argv.splice(1, 2, join(root, file))
    // Sources that were compiled before start in two thirds of the time. A server is built.
    if (!args.includes('serve'))
      module.enableCompileCache?.({ directory: join(root, 'node_modules/.cache/compiled'), portable: true })
    return import(pathToFileURL(join(root, file)).href)
  }
  const { execArgv, env } = args.includes('serve') ? serverStart() : process
  const path = `${bin}:${process.env.PATH}`
  const child = spawn(node, [...execArgv, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...env, PATH: path },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

if (isMain(import.meta.url)) {
  const args = process.argv.slice(2)
  if (args.includes('serve')) becomeServer()
  install()
  if (args.includes('serve')) {
    buildConsole()
    buildDocs()
    buildServer()
  }
  await run(args)
}
