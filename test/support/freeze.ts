import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The first process of the embedded PostgreSQL on a DATA_DIR. */
export function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
}

/** What a process has started and still runs. */
export function childrenOf(pid: number): number[] {
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      // The name of the program stands in brackets and may hold anything.
      const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ')
      return Number(parent) === pid
    } catch {
      return false
    }
  })
  return children.map(Number)
}

/** Stops PostgreSQL where it is, as a dead disk or a paused virtual machine does: it says nothing, and hangs up on nobody. */
export function freezePostgres(dataDir: string): () => void {
  return freezeProcesses(postmasterOf(dataDir))
}

/** The same for one whose first process is known. */
export function freezeProcesses(postmaster: number): () => void {
  // The first is frozen first, so that no more are started meanwhile.
  const isThere = signal(postmaster, 'SIGSTOP')
  const frozen = [
    ...(isThere ? [postmaster] : []),
    ...childrenOf(postmaster).filter((pid) => signal(pid, 'SIGSTOP')),
  ]
  return () => {
    for (const pid of frozen) signal(pid, 'SIGCONT')
  }
}

/** False where it had ended before. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
