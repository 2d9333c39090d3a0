// npm run check: everything that needs no running server.
import { runChecks } from './checks.ts'

const failed = runChecks()
console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
