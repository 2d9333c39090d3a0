import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The processes of the embedded PostgreSQL on a DATA_DIR: the first, and those that it has started. */
function postgresProcesses(dataDir: string): number[] {
  const postmaster = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      // The name of the program stands in brackets and may hold anything.
      const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ')
      return Number(parent) === postmaster
    } catch {
      return false
    }
  })
  return [postmaster, ...children.map(Number)]
}

/** Stops PostgreSQL where it is, as a dead disk or a paused virtual machine does: it says nothing, and hangs up on nobody. */
export function freezePostgres(dataDir: string): () => void {
  // The first is frozen first, so that no more are started meanwhile.
  const frozen = postgresProcesses(dataDir).filter((pid) => signal(pid, 'SIGSTOP'))
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
