import pino from 'pino'
import { readableLine } from './readable-log.ts'

export type Log = pino.Logger

/**
 * Lines of JSON on standard output, written in batches; what must not be lost is written at exit. On a terminal, lines that
 * people can read, each at once.
 */
export function createLog(level: string, isTerminal = process.stdout.isTTY === true): Log {
  return pino(
    {
      level,
      base: null,
      timestamp,
      formatters: { level: (label) => ({ level: label }) },
    },
    isTerminal
      ? { write: (line: string) => process.stdout.write(readableLine(line)) }
      : pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 500 }),
  )
}

let lastMs = 0
let lastText = ''

/** Many lines are written in one millisecond: its text is made once. */
function timestamp(): string {
  const now = Date.now()
  if (now !== lastMs) {
    lastMs = now
    lastText = `,"time":"${new Date(now).toISOString()}"`
  }
  return lastText
}
