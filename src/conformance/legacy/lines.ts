import type { Kit } from '../kit.ts'
import { record, text } from '../shape.ts'
import { ownProject } from '../v1/records.ts'
import { changingHiProject } from './records.ts'

/** Both lines have a stage move, files and notes, each under its name. */
export interface Line {
  suffix: '' | '_hi'
  what: string
  own(kit: Kit): Promise<string>
}

export const lines: Line[] = [
  { suffix: '', what: 'solar', own: async (kit) => (await ownProject(kit)).id },
  { suffix: '_hi', what: 'HI', own: async (kit) => changingHiProject(kit) },
]

/** What a success says. */
export const told = record({
  success: (value, path) => (value === true ? null : `${path} is not true`),
  message: text,
})
