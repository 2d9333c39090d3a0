import { readingsWorkload, tenMillion } from './energy-rows.ts'
import { runLoad, type Workload } from './load.ts'
import { memoryOf, type Running } from './processes.ts'
import { shapeNames } from './reading-batches.ts'
import { memoryResult, type Result } from './report.ts'
import type { SeededEnergy } from './seed/energy.ts'

const millions = 10
const flat = 1.1

/** Ten million readings in batches of every shape by turns, and what memory the server holds after each million. */
export async function measureTenMillion(
  seeded: SeededEnergy,
  ours: Running,
  connections: number,
): Promise<Result> {
  const all = shapeNames.map((shape) => readingsWorkload(shape, seeded, ours.port, 'afterwards'))
  let turn = 0
  const mixed: Workload = { ...all[0]!, next: () => all[turn++ % all.length]!.next() }
  const heldMb: number[] = []
  for (let million = 1; million <= millions; million++) {
    const { seconds } = await runLoad(mixed, { connections, count: 1_000 })
    heldMb.push(memoryOf(ours.pid).now)
    console.log(
      `          ${million} million: ${heldMb.at(-1)!.toFixed(1)} MB, ${(1_000_000 / seconds).toFixed(0)} readings/s`,
    )
  }
  return memoryResult(
    tenMillion,
    Math.max(...heldMb),
    heldMb[0]!,
    'what it held after the first million',
    flat,
  )
}
