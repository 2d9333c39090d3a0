import type { Fault } from './fault.ts'
import { serverKilled } from './faults/server-killed.ts'

/** Every fault of the suite, in the order of the table; those of one shape are played on one bed. */
export const faults: Fault[] = [serverKilled]
