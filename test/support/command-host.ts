// Runs commands of the command line one after another in one process, each by the program's own entry: loading it takes
// longer than most commands. Started by commands.ts.
import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { Asked } from './commands.ts'

interface Command {
  exit: PromiseWithResolvers<void>
  exited: boolean
}

const running = new AsyncLocalStorage<Command>()
const hangMs = 30_000
let number = 0

// A command that exits is over: nothing that it says afterwards is heard, nor does it end those after it.
process.exit = ((code?: number) => {
  const command = running.getStore()
  if (!command || command.exited) return
  process.exitCode = code
  command.exited = true
  command.exit.resolve()
  throw new Error('exited')
}) as typeof process.exit
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream)
  stream.write = ((...args: Parameters<typeof write>) =>
    running.getStore()?.exited || write(...args)) as typeof stream.write
}

const open = () => process.getActiveResourcesInfo().length

process.on('message', async ({ args, env, endMark }: Asked) => {
  const atRest = open()
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.argv.splice(2, Infinity, ...args)
  process.exitCode = undefined
  Object.defineProperty(process, 'stdin', { value: Readable.from([]), configurable: true })
  const command: Command = { exit: Promise.withResolvers(), exited: false }
  const done = running.run(command, () => import(`../../src/main.ts?${++number}`))
  await Promise.race([done, command.exit.promise])
  const code = process.exitCode ?? 0
  // What keeps it open would keep a process of its own from ending.
  for (const until = performance.now() + hangMs; open() > atRest && performance.now() < until; ) await wait(5)
  const hangs = open() > atRest
  command.exited = true
  if (hangs) console.error(`It does not end: ${process.getActiveResourcesInfo().join(', ')}`)
  process.stdout.write(endMark)
  process.stderr.write(endMark)
  process.send!({ code: hangs ? 1 : code })
})
process.send!('ready')
