import type { AddressInfo } from 'node:net'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { createLog } from '../src/platform/log.ts'
import { startServer } from '../src/server.ts'

// Two faces of one server in one process, which differ by the request log alone: two processes of the same program differ
// by more than the log costs.
const config = readConfig(process.env)
const server = await startServer(config, createLog(config.logLevel))
const { deps } = server
const faces = {
  unlogged: await buildApp({ ...deps, requests: null }),
  logged: await buildApp(deps),
}
const ports: Record<string, number> = {}
for (const [name, app] of Object.entries(faces)) {
  await app.listen({ host: config.host, port: 0 })
  ports[name] = (app.server.address() as AddressInfo).port
}
console.log(JSON.stringify({ ports }))
console.log(deps.addresses.baseUrl)
process.on('SIGTERM', async () => {
  await Promise.all(Object.values(faces).map((app) => app.close()))
  await server.stop()
})
