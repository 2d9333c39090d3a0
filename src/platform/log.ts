import pino from 'pino'
import { readableLine } from './readable-log.ts'

export type Log = pino.Logger

/** What a pipe takes without mixing it with what others write: several processes may share one. */
const unmixedBytes = 4_096

/**
 * Lines of JSON on standard output, written in batches; what must not be lost is written at exit. On a terminal, lines that
 * people can read, each at once. Where there are several processes, each line says which it is of.
 */
export function createLog(
  level: string,
  isTerminal = process.stdout.isTTY === true,
  processName: string | null = null,
): Log {
  return pino(
    {
      level,
      base: processName === null ? null : { process: processName },
      timestamp,
      formatters: { level: (label) => ({ level: label }) },
    },
    isTerminal
      ? { write: (line: string) => process.stdout.write(readableLine(line)) }
      : pino.destination({
          dest: 1,
          sync: false,
          periodicFlush: 500,
          ...(processName === null
            ? { minLength: 4096 }
            : { minLength: unmixedBytes / 2, maxWrite: unmixedBytes }),
        }),
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
