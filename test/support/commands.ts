import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { atWorkerEnd } from './endings.ts'
import { root, userEnvironment } from './process.ts'

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface Asked {
  args: string[]
  env: NodeJS.ProcessEnv
  /** What is to be written after the command's own, on both streams. */
  endMark: string
}

const endMark = '\0end\n'

interface Host {
  child: ChildProcess
  gone: Promise<number | null>
}

let host: Promise<Host> | null = null
let last: Promise<unknown> = Promise.resolve()

/** Runs a command to its end, in a process that the commands of a worker share. */
export function sunstead(args: string[], env: Record<string, string>): Promise<Ended> {
  // One after another: an environment belongs to a process.
  const ended = last.then(() => runIn(args, env))
  last = ended.catch(() => {})
  return ended
}

async function runIn(args: string[], env: Record<string, string>): Promise<Ended> {
  host ??= start()
  const { child, gone } = await host
  const outputs = Promise.all([untilMark(child.stdout!), untilMark(child.stderr!)])
  const told = once(child, 'message').then(([{ code }]) => code as number)
  child.send({ args, env: userEnvironment(env), endMark } satisfies Asked)
  const code = await Promise.race([told, gone])
  const [stdout, stderr] = await outputs
  return { code, stdout, stderr }
}

/** What comes until the end of a command, or of the process. */
function untilMark(stream: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const end = () => {
      stream.off('data', read).off('end', end)
      resolve(text.replace(endMark, ''))
    }
    const read = (chunk: string) => {
      text += chunk
      if (text.endsWith(endMark)) end()
    }
    stream.on('data', read).on('end', end)
  })
}

async function start(): Promise<Host> {
  const child = spawn(process.execPath, [join(root, 'test/support/command-host.ts')], {
    cwd: root,
    env: { ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled') },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  child.stdout!.setEncoding('utf8')
  child.stderr!.setEncoding('utf8')
  atWorkerEnd(() => child.kill('SIGKILL'))
  const gone = once(child, 'exit').then(([code]) => {
    host = null
    return code as number | null
  })
  await Promise.race([once(child, 'message'), gone])
  return { child, gone }
}
