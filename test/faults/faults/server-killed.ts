import type { Fault } from '../fault.ts'
import { oneServer } from '../shapes.ts'

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
