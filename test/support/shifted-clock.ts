import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

// Loaded before a server (`--import`): its wall clock is ahead by as many milliseconds as a file says that is named by its
// DATA_DIR, and is set anew while it runs. What counts on evenly, `performance.now` and timers, does not.
const folder = process.env['CLOCK_SHIFT_FOLDER']

if (folder) {
  const file = join(folder, `clock-of-${basename(process.env['DATA_DIR'] ?? '')}`)
  const Real = Date
  const realInstant = Temporal.Now.instant.bind(Temporal.Now)
  let shiftMs = 0
  const read = () => {
    try {
      shiftMs = Number(readFileSync(file, 'utf8')) || 0
    } catch {
      shiftMs = 0
    }
  }
  read()
  setInterval(read, 20).unref()

  const Shifted: DateConstructor = new Proxy(Real, {
    construct: (_target, args, newTarget) =>
      Reflect.construct(
        Real,
        args.length === 0 ? [Real.now() + shiftMs] : args,
        newTarget === Shifted ? Real : newTarget,
      ),
    apply: () => new Real(Real.now() + shiftMs).toString(),
    get: (target, name, receiver) =>
      name === 'now' ? () => Real.now() + shiftMs : Reflect.get(target, name, receiver),
  })
  globalThis.Date = Shifted
  Temporal.Now.instant = () => realInstant().add({ milliseconds: shiftMs })
}
