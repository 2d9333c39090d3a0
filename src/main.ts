import { readConfig } from './config.ts'
import { createLog } from './platform/log.ts'
import { startServer } from './server.ts'

const config = readConfig(process.env)
const log = createLog(config.logLevel)
const server = await startServer(config, log)
console.log(server.parts.addresses.baseUrl)
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => void server.stop().then(() => process.exit(0)))
