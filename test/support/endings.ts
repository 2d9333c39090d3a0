/** What a test file leaves to be stopped at its end, and a worker at its own: several files share a process. */
type End = () => unknown

const ofFile: End[] = []
const ofWorker: End[] = []

/** In their order; `first` is for what asks others that end then, too. */
export function atFileEnd(end: End, { first = false } = {}): void {
  if (first) ofFile.unshift(end)
  else ofFile.push(end)
}

export function atWorkerEnd(end: End): void {
  ofWorker.push(end)
}

export const endFile = () => endAll(ofFile)
export const endWorker = () => endAll(ofWorker)

/** All of them, also where one fails: the next file must not meet what this one left. */
async function endAll(ends: End[]): Promise<void> {
  const failed: unknown[] = []
  for (const end of ends.splice(0)) {
    try {
      await end()
    } catch (error) {
      failed.push(error)
    }
  }
  if (failed.length > 1) throw new AggregateError(failed, failed.map(String).join('\n'))
  if (failed.length > 0) throw failed[0]
}
