import { memoryOf } from './processes.ts'
import { memoryResult, type Result } from './report.ts'

const budgetMb = 220

/** Looks at the server's memory after each row, and keeps where it was most. */
export function watchMemory(pid: number) {
  const mostAfter = { row: 'the start', mb: memoryOf(pid).now }
  return {
    lookAfter(row: string): void {
      const { now, own, peak } = memoryOf(pid)
      const more =
        own === null ? '' : `, ${own.toFixed(1)} its own, ${peak!.toFixed(1)} at its highest so far`
      console.log(`          memory: ${now.toFixed(1)} MB${more}`)
      if (now > mostAfter.mb) Object.assign(mostAfter, { row, mb: now })
    },
    result(): Result {
      const against = `the budget of the server process after each row: it held most after ${mostAfter.row}`
      return memoryResult('memory', mostAfter.mb, budgetMb, against, 1)
    },
  }
}
