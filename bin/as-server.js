// Plain JavaScript for Node 20 and newer, as scripts/run.js is, which calls it too.

/** What a server's process runs with, whoever starts it. docs/performance.md says what each of these saves. */
export const serverFlags = ['--max-semi-space-size=8', '--heap-growing-percent=30']

/** Of the C library: what was long goes back to the system when it is let go, and does not stay as holes between others. */
export const serverMemory = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '524288',
}

/** How to start one from here. What somebody has set stays as it is. */
export function serverStart() {
  const set = [...process.execArgv, process.env.NODE_OPTIONS].join(' ')
  const missing = serverFlags.filter((flag) => !set.includes(flag.split('=')[0]))
  return { execArgv: [...missing, ...process.execArgv], env: { ...serverMemory, ...process.env } }
}

/**
 * Starts this process again in its own place, with the same id, where it does not run so yet: the C library reads its
 * settings once. A worker has them from the process that started it.
 */
export function becomeServer() {
  const { execArgv, env } = serverStart()
  const isOne =
    execArgv.length === process.execArgv.length &&
    Object.keys(serverMemory).every((name) => name in process.env)
  if (isOne || !process.execve || process.channel) return
  process.execve(process.execPath, [process.execPath, ...execArgv, ...process.argv.slice(1)], env)
}
