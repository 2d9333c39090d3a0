// Runs test files one after another in one process, each as a suite: loading the program and warming it up takes
// longer than most files' tests. Started by run.ts.
import { resolve } from 'node:path'
import { after, suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { endFile, endWorker } from '../support/endings.ts'
import { rememberScrypt } from '../support/quick-scrypt.ts'
import { takeFiles } from './queue.ts'

rememberScrypt()
const { TEST_QUEUE, TEST_WORKER } = process.env
// Between two files nothing else may be there that keeps a process running.
const staying = setInterval(() => {}, 60_000)
for (const file of takeFiles(TEST_QUEUE!, TEST_WORKER!)) {
  await suite(file, async () => {
    // Before the file's own: what a server calls must outlive it.
    after(endFile)
    await import(pathToFileURL(resolve(file)).href)
  })
}
await endWorker()
clearInterval(staying)
// What a failed test left open must not keep the whole run waiting.
const left = setTimeout(() => {
  console.error(`Left open, and let go: ${process.getActiveResourcesInfo().join(', ')}`)
  for (const handle of openHandles()) handle.unref?.()
  // What goes on by itself opens others. Everything has been told by now.
  setTimeout(() => process.exit(), 5_000).unref()
}, 5_000)
left.unref()
// Here and not in Node's own clearing up, which was seen to go round for ever over a handle that does not close.
process.on('exit', () => process.exit())

function openHandles(): { unref?(): void }[] {
  return (process as unknown as { _getActiveHandles(): { unref?(): void }[] })._getActiveHandles()
}
