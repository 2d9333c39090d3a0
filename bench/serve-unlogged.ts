import { readConfig } from '../src/config.ts'
import { createLog } from '../src/platform/log.ts'
import { startServer } from '../src/server.ts'

// The server as it is, but for the request log: what the log costs is seen beside it.
const config = readConfig(process.env)
const server = await startServer(config, createLog(config.logLevel), {}, false)
console.log(server.parts.addresses.baseUrl)
process.on('SIGTERM', () => void server.stop())
