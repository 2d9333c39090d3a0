import type { Day, Place } from './local-time.ts'

/** What is to be added to a day of a panel or an installation. */
export interface DaySum {
  /** Whose, as a place in a list of them. */
  of: number
  day: Day
  microkwh: number
  /** How many readings are new. */
  readings: number
  /** Of an installation: how many panels have their first readings of the day. */
  panels: number
  /** The only hour that is added to; where there are several, the first. */
  slot: number
  /** Where there are several: by slot, and what is not there is not touched. */
  hours: number[] | null
  /** The time of the last of them. */
  last: number
  /** When the reading before them may have been at the latest, where they are to be possible. */
  latest: number
}

export interface SummedReading {
  at: number
  /** By how much the sum grows. */
  microkwh: number
  /** Whether there was none of its time. */
  isNew: boolean
  latest: number
}

export interface DaySums {
  add(of: number, place: Place, reading: SummedReading): void
  /** Says that a panel has its first readings of a day that was added to. */
  addPanel(of: number, day: Day): void
  all(): DaySum[]
}

// More days than any calendar of ours has, to make one number of whose day it is.
const days = 1_000_000

/** Quickest where what belongs to one day comes in a row. */
export function createDaySums(): DaySums {
  const sums = new Map<number, DaySum>()
  let last: DaySum | undefined
  const find = (of: number, { day, slot }: Place, { at, latest }: SummedReading): DaySum => {
    if (last?.of === of && last.day === day) return last
    last = sums.get(of * days + day)
    if (!last) {
      last = { of, day, microkwh: 0, readings: 0, panels: 0, slot, hours: null, last: at, latest }
      sums.set(of * days + day, last)
    }
    return last
  }
  return {
    add(of, place, reading) {
      const sum = find(of, place, reading)
      const { microkwh } = reading
      if (reading.at > sum.last) sum.last = reading.at
      const { slot } = place
      if (sum.hours === null && sum.slot !== slot) {
        sum.hours = []
        sum.hours[sum.slot] = sum.microkwh
      }
      if (sum.hours) sum.hours[slot] = (sum.hours[slot] ?? 0) + microkwh
      sum.microkwh += microkwh
      if (reading.isNew) sum.readings++
    },
    addPanel(of, day) {
      sums.get(of * days + day)!.panels++
    },
    all: () => [...sums.values()],
  }
}
