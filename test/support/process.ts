import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atFileEnd } from './endings.ts'

export const root = join(import.meta.dirname, '../..')

/** A folder that PostgreSQL's service user can enter, also when we are root. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'sunstead-test-'))
  await chmod(path, 0o755)
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}

/** The environment of a user's shell: nothing of the test run's own configuration. */
export function userEnvironment(more: Record<string, string>): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'USER', 'LANG', 'TMPDIR', 'npm_config_cache', 'npm_config_userconfig']
  const kept = names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  return { ...Object.fromEntries(kept), ...more }
}

export interface ServerProcess {
  child: ChildProcess
  url: string
  output(): string
  /** Sends a signal to the process group, as a terminal does, and waits for the end. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; ms: number }>
}

const running = new Set<ChildProcess>()
// A test that failed half-way leaves nobody behind, nor does a worker that dies of one.
const endRunning = () => {
  for (const child of running) process.kill(-child.pid!, 'SIGKILL')
}
process.on('exit', endRunning)

/** Starts the server as its own process in a group of its own, and waits until it says that it is ready. */
export async function startProcess(
  env: Record<string, string>,
  command: string[] = [process.execPath, join(root, 'bin/sunstead.js'), 'serve'],
  cwd = root,
  onSpawn: (child: ChildProcess) => void = () => {},
): Promise<ServerProcess> {
  const [file, ...args] = command
  const child = spawn(file!, args, {
    cwd,
    env: userEnvironment({ PORT: '0', LOG_LEVEL: 'warn', ...env }),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  onSpawn(child)
  atFileEnd(endRunning)
  let output = ''
  const exited = once(child, 'exit').finally(() => running.delete(child))
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      const ready = /ready at (http\S+)/.exec(output)
      if (ready) resolve(ready[1]!)
    }
    child.stdout!.on('data', read)
    child.stderr!.on('data', read)
    exited.then(([code]) => reject(new Error(`the server ended with ${code}:\n${output}`)), reject)
  })
  return {
    child,
    url,
    output: () => output,
    async end(signal) {
      const begun = performance.now()
      process.kill(-child.pid!, signal)
      const [code] = await exited
      return { code: code as number | null, ms: performance.now() - begun }
    },
  }
}

/** Runs a program to its end. */
export async function run(
  command: string[],
  env: Record<string, string>,
  cwd = root,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const [file, ...args] = command
  const child = spawn(file!, args, { cwd, env: userEnvironment(env), stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const [code] = await once(child, 'close')
  return { code: code as number | null, stdout, stderr }
}
