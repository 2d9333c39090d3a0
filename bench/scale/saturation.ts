import type { Driven } from './generator.ts'
import { cores as coresHere, type Seen } from './resources.ts'

/** Cores in use, mean of the time; null where it cannot be told. */
export interface CoresUsed {
  server: number
  database: number | null
  generator: number
  receiver: number
  /** Others on this machine: above 0.1 or so, the figures are theirs too. */
  others: number | null
}

/** Something that there is only so much of. */
export interface Resource {
  name: string
  /** 1 is all of it. */
  used: number
  saturated: boolean
  /** In its own words. */
  said: string
}

/** An alert of ours is raised at this delay. */
const loopDelayLimitMs = 250
const waitsLimit = 0.05
const generatorLateMs = 50
const coresLimit = 0.9

/** What there is only so much of, the nearest to its end first; the generator before all where it is at its own. */
export function resourcesOf(seen: Seen, cores: CoresUsed, driven: Driven): Resource[] {
  const machine = coresHere()
  const busiest = Math.max(...seen.processes.map((one) => one.cores))
  const { statements, over20Ms } = seen.connectionWaits
  const waited = statements > 0 ? over20Ms / statements : 0
  const delay = seen.loopDelayP99Ms
  const known = [cores.server, cores.database ?? 0, cores.generator, cores.receiver, cores.others ?? 0]
  const all = known.reduce((sum, one) => sum + one, 0)
  const percent = (share: number) => `${(share * 100).toFixed(0)} %`
  const generator: Resource = {
    name: 'the load generator itself',
    used: driven.utilisation,
    // Late without being busy it is for want of a core, which is said by itself.
    saturated:
      driven.utilisation > 0.85 || (driven.lateP99Ms > generatorLateMs && all / machine < coresLimit),
    said: `its event loop was busy for ${percent(driven.utilisation)}; 1 of 100 calls was sent ${driven.lateP99Ms.toFixed(1)} ms late or later`,
  }
  const resources: Resource[] = [
    {
      name: 'a server process (one core)',
      used: busiest,
      saturated: busiest > 0.9,
      said: `the busiest of ${seen.processes.length} used ${percent(busiest)} of a core`,
    },
    {
      name: 'the event loop of the server',
      used: Math.min(1, delay.middle / loopDelayLimitMs),
      saturated: delay.middle > loopDelayLimitMs,
      said: `delay p99 ${delay.middle.toFixed(0)} ms in the middle of all looks, ${delay.worst.toFixed(0)} at worst; an alert comes at ${loopDelayLimitMs}`,
    },
    {
      name: 'connections to the database',
      used: waited,
      saturated: waited > waitsLimit,
      said: `${percent(waited)} of ${statements} statements waited longer than 20 ms for one`,
    },
    {
      name: `the cores of this machine${(cores.others ?? 0) > all / 2 ? ', most of them used by others' : ''}`,
      used: all / machine,
      saturated: all / machine > coresLimit,
      said: `${all.toFixed(2)} of ${machine}: server ${cores.server.toFixed(2)}, database ${cores.database?.toFixed(2) ?? 'elsewhere'}, generator ${cores.generator.toFixed(2)}, receiver ${cores.receiver.toFixed(2)}, others ${cores.others?.toFixed(2) ?? 'unknown'}`,
    },
    generator,
  ]
  if (cores.database !== null)
    resources.push({
      name: 'the cores of the database',
      used: cores.database / machine,
      saturated: cores.database / machine > 0.9,
      said: `${cores.database.toFixed(2)} of ${machine}`,
    })
  if (seen.diskBusy !== null)
    resources.push({
      name: 'the disk',
      used: Math.min(1, seen.diskBusy),
      saturated: seen.diskBusy > 0.9,
      said: `the busiest of this machine was busy for ${percent(seen.diskBusy)}`,
    })
  resources.sort((a, b) => Number(b.saturated) - Number(a.saturated) || b.used - a.used)
  return generator.saturated ? [generator, ...resources.filter((one) => one !== generator)] : resources
}
