import type { Fault } from '../fault.ts'
import { embedded, oneServer, twoProcesses } from '../shapes.ts'

/** The server dies without a word, as by the kernel's out-of-memory killer, and is started again. */
export const serverKilled: Fault = {
  name: 'server-killed',
  title: 'The server is killed (`kill -9`)',
  shape: oneServer,
  times: 50,
  async strike({ servers: [server] }) {
    server!.kill('SIGKILL')
  },
}

/** Its PostgreSQL lives on, and is found by the next start. */
export const embeddedServerKilled: Fault = {
  ...serverKilled,
  name: 'embedded-server-killed',
  title: 'The server is killed, its embedded PostgreSQL is not',
  longOnly: true,
  shape: embedded,
  times: 10,
}

/** Of two processes, the one that the others are children of: they end with it. */
export const primaryKilled: Fault = {
  ...serverKilled,
  name: 'primary-killed',
  title: 'Two processes: the primary is killed',
  shape: twoProcesses,
  times: 15,
}

export const workerKilled: Fault = {
  name: 'worker-killed',
  title: 'Two processes: one that serves is killed',
  shape: twoProcesses,
  times: 15,
  async strike({ servers: [server] }, { round }) {
    const workers = server!.workers()
    server!.kill('SIGKILL', workers[round % workers.length])
  },
}
