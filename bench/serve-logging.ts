import type { AddressInfo } from 'node:net'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { createLog } from '../src/platform/log.ts'
import { startServer } from '../src/server.ts'

// The server as it is, and beside it, in the same process, one that differs by the request log alone: two processes of the
// same program differ by more than the log costs.
const config = readConfig(process.env)
const server = await startServer(config, createLog(config.logLevel))
const unlogged = await buildApp({ ...server.parts, requests: null })
await unlogged.listen({ host: config.host, port: 0 })
console.log(server.parts.addresses.baseUrl)
console.log(`without the log on port ${(unlogged.server.address() as AddressInfo).port}`)
process.on('SIGTERM', async () => {
  await unlogged.close()
  await server.stop()
})
