import type { LimitAnswer } from '../src/cluster/messages.ts'
import { createSharedLimits } from '../src/cluster/shared-limits.ts'

/** As many calls under way as the bench has connections. */
const atOnce = 32
const [kind, calls] = [process.argv[2], Number(process.argv[3])]
const rounds = calls / atOnce
const keys = Array.from({ length: atOnce }, (_, i) => `key_${i % 4}`)

const shared = createSharedLimits(1_000_000, (asks) => process.send!({ asks }))
let answered: (() => void) | null = null
process.on('message', (answers: LimitAnswer[]) => {
  if (kind === 'shared') shared.answered(answers)
  else answered?.()
})

const bare = () =>
  new Promise<void>((resolve) => {
    answered = resolve
    process.send!({ asks: keys })
  })

const before = process.cpuUsage()
for (let round = 0; round < rounds; round++) {
  if (kind === 'bare') await bare()
  else await Promise.all(keys.map((key) => shared.limits.limiter!.take(key)))
}
const { user, system } = process.cpuUsage(before)
process.send!({ cpuMs: (user + system) / 1_000 })
