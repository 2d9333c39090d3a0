import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

interface ProfileNode {
  id: number
  callFrame: { functionName: string; url: string; lineNumber: number }
  children?: number[]
}

interface CpuProfile {
  nodes: ProfileNode[]
  samples: number[]
  timeDeltas: number[]
}

const shown = 25

export function profileArguments(folder: string): string[] {
  rmSync(folder, { recursive: true, force: true })
  return ['--cpu-prof', `--cpu-prof-dir=${folder}`]
}

/**
 * Where the server's time went. The whole run counts: use `--only`. It is time on the clock, so what
 * wakes another process (writev) is also charged for being set aside for it.
 */
export function printProfile(folder: string): void {
  const file = readdirSync(folder).find((name) => name.endsWith('.cpuprofile'))
  if (!file) throw new Error(`there is no profile in ${folder}`)
  const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile
  const nodeMs = new Map<number, number>()
  for (const [i, id] of profile.samples.entries()) {
    nodeMs.set(id, (nodeMs.get(id) ?? 0) + profile.timeDeltas[i]! / 1000)
  }
  const { self, packages, inclusive, totalMs } = sums(profile, nodeMs)
  console.log(`\nthe server's time, ${Math.round(totalMs)} ms in all (${join(folder, file)})`)
  printTop('by function, itself', self, totalMs)
  printTop('by package, itself', packages, totalMs)
  printTop('by function of ours, with what it calls', inclusive, totalMs)
}

function sums({ nodes }: CpuProfile, nodeMs: ReadonlyMap<number, number>) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const self = new Map<string, number>()
  const packages = new Map<string, number>()
  const inclusive = new Map<string, number>()
  const add = (sum: Map<string, number>, name: string, ms: number) => sum.set(name, (sum.get(name) ?? 0) + ms)
  let totalMs = 0
  const visit = (node: ProfileNode, above: ReadonlySet<string>): void => {
    const name = nameOf(node)
    const ms = nodeMs.get(node.id) ?? 0
    const within = name.includes('src/') && !above.has(name) ? new Set([...above, name]) : above
    if (name !== '(idle)') {
      totalMs += ms
      add(self, name, ms)
      add(packages, packageOf(node), ms)
      for (const caller of within) add(inclusive, caller, ms)
    }
    for (const child of node.children ?? []) visit(byId.get(child)!, within)
  }
  visit(nodes[0]!, new Set())
  return { self, packages, inclusive, totalMs }
}

function printTop(title: string, sum: ReadonlyMap<string, number>, totalMs: number): void {
  console.log(`\n  ${title}`)
  for (const [name, ms] of [...sum].sort((a, b) => b[1] - a[1]).slice(0, shown)) {
    console.log(`${((100 * ms) / totalMs).toFixed(1).padStart(6)} %  ${name}`)
  }
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const place = url.replace(/^file:\/\//, '').replace(/^.*\/(node_modules|src)\//, '$1/')
  return place ? `${functionName || '(anonymous)'}  ${place}:${lineNumber + 1}` : functionName
}

function packageOf({ callFrame: { functionName, url } }: ProfileNode): string {
  const found = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]
  if (found) return found
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/')
  return url ? 'src' : functionName || 'native'
}
