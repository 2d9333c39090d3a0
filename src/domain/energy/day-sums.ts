import type { Day, Place } from './local-time.ts'

/** What is to be added to a day of a panel or an installation. */
export interface DaySum {
  /** Of the panel or the installation. */
  id: string
  day: Day
  microkwh: number
  /** How many readings are new. */
  readings: number
  /** By slot; what is not there is not touched. */
  hours: number[]
  slots: number
  /** The last slot that was added to: the only one where there is one. */
  slot: number
}

export interface DaySums {
  add(id: string, place: Place, microkwh: number, readings: number): void
  all(): DaySum[]
}

export function createDaySums(): DaySums {
  const byId = new Map<string, Map<Day, DaySum>>()
  return {
    add(id, { day, slot }, microkwh, readings) {
      let days = byId.get(id)
      if (!days) {
        days = new Map()
        byId.set(id, days)
      }
      let sum = days.get(day)
      if (!sum) {
        sum = { id, day, microkwh: 0, readings: 0, hours: [], slots: 0, slot }
        days.set(day, sum)
      }
      sum.microkwh += microkwh
      sum.readings += readings
      if (sum.hours[slot] === undefined) {
        sum.hours[slot] = microkwh
        sum.slots++
        sum.slot = slot
      } else {
        sum.hours[slot] += microkwh
      }
    },
    all: () => [...byId.values()].flatMap((days) => [...days.values()]),
  }
}
