import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import pg from 'pg'
import { freePort } from './free-port.ts'

/** A port where nobody listens until `open`, which leads from there to a PostgreSQL. */
export async function reservePort(url: string) {
  const { host, port: target } = new pg.Client({ connectionString: url })
  const port = await freePort()
  let server: Server | undefined
  return {
    url: url.replace(/@[^/]+\//, `@127.0.0.1:${port}/`),
    async open() {
      server = createServer((near) => {
        const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${target}`) : connect(target, host)
        for (const socket of [near, far]) {
          socket.on('error', () => {})
          socket.on('close', () => {
            near.destroy()
            far.destroy()
          })
        }
        near.pipe(far).pipe(near)
      })
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    close: () => server?.close(),
  }
}
