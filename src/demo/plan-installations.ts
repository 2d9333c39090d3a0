import type { Calendar } from './calendar.ts'
import { demoInstallations, endings } from './installations.ts'
import type { Random } from './random.ts'
import type { Step } from './step.ts'

/** What happened on the installations of one installer: they were registered, and billed for the last months. */
export function planInstallations(
  company: number,
  createdAt: number,
  calendar: Calendar,
  random: Random,
): Step[] {
  const installations = demoInstallations[company] ?? []
  const common = { company, by: null }
  const registered = installations.map(
    (installation, i): Step => ({
      ...common,
      at: createdAt + (i + 1) * 60_000,
      deal: installation.name,
      do: 'registerInstallation',
      installation,
    }),
  )
  const today = Temporal.PlainDate.from(calendar.day(0))
  const billed = endings.map((ending, i): Step => {
    const month = today.with({ day: 1 }).subtract({ months: endings.length - i })
    const run = month.add({ months: 1 })
    const ageDays = Math.max(0, run.until(today).days)
    const at = calendar.at(ageDays, random)
    return {
      ...common,
      at,
      deal: `bill ${month}`,
      do: 'bill',
      month: month.toString().slice(0, 7),
      endings: ending,
    }
  })
  return [...registered, ...billed]
}
