import { createRequire } from 'node:module'
import type * as Undici from 'undici'

const load = createRequire(import.meta.url)

// By parts: its index loads fetch, WebSocket, caches and mocks as well, 4 MB that no server of ours would use.
export const Agent: typeof Undici.Agent = load('undici/lib/dispatcher/agent.js')
export const buildConnector: typeof Undici.buildConnector = load('undici/lib/core/connect.js')
// As the index does.
Object.assign(Agent.prototype, { request: load('undici/lib/api/api-request.js') })
