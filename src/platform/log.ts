import pino from 'pino'

export type Log = pino.Logger

/** Lines of JSON on standard output, written in batches; what must not be lost is written at exit. */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 500 }),
  )
}
