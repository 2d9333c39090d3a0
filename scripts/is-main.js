// Plain JavaScript, as run.js is.
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Whether a file is what was started, also by way of a link. */
export function isMain(url) {
  try {
    return realpathSync(process.argv[1]) === fileURLToPath(url)
  } catch {
    return false
  }
}
