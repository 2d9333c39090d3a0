import { version } from '../../platform/version.ts'

/** Where messages are posted. */
export const path = '/mcp'

/** How the server names itself to clients. */
export const serverInfo = { name: 'sunstead', title: 'Sunstead', version }
