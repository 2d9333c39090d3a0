import type { Answer } from '../client.ts'
import { expectEqual, told } from '../expect.ts'
import type { Caller, Kit } from '../kit.ts'
import { fail, need, notApplicable } from '../outcome.ts'
import type { Rule } from '../rule.ts'
import { at } from '../shape.ts'

const perMinute = 100
const atOnce = 10
const maxWaitSeconds = 120

/** The dealer's, where there is one, so that the other rules do not have to wait. */
const caller = (kit: Kit): Caller => (kit.target.dealerKey === null ? kit.installer : kit.dealer)

interface Burst {
  answers: Answer[]
  limited: Answer | undefined
}

/** More calls than a minute allows, of two endpoints. */
const burst = (kit: Kit): Promise<Burst> =>
  kit.once('v1 burst', async () => {
    const answers: Answer[] = []
    for (let sent = 0; sent < perMinute + atOnce; sent += atOnce) {
      const paths = Array.from({ length: atOnce }, (_, i) => (i % 2 === 0 ? '/me' : '/leads?limit=1'))
      answers.push(...(await Promise.all(paths.map((path) => caller(kit).get(path, { keepLimited: true })))))
      if (answers.some(({ status }) => status === 429)) break
    }
    return { answers, limited: answers.find(({ status }) => status === 429) }
  })

async function limited(kit: Kit): Promise<Answer> {
  return (await need('a burst of calls', burst(kit))).limited ?? notApplicable('no call was answered 429')
}

const retryAfter = ({ headers }: Answer) => headers['retry-after'] ?? ''

export const limitRules: Rule[] = [
  {
    id: 'v1.limits.reached',
    says: 'More than 100 calls in a minute from one key, all endpoints counted together, are answered 429.',
    async check(kit) {
      const { answers, limited } = await burst(kit)
      if (!limited) fail(`${answers.length} calls in a row were all let through`)
    },
  },
  {
    id: 'v1.limits.code',
    says: 'The code of a 429 is `rate_limited`.',
    check: async (kit) =>
      expectEqual(at((await limited(kit)).json, 'error.code'), 'rate_limited', 'error.code'),
  },
  {
    id: 'v1.limits.retry-after',
    says: 'A 429 has `Retry-After`, whole seconds.',
    async check(kit) {
      const answer = await limited(kit)
      if (!/^\d+$/.test(retryAfter(answer)))
        fail(`${told(answer)}; its Retry-After is ${retryAfter(answer) || 'missing'}`)
    },
  },
  ...['limit', 'remaining', 'reset'].map(
    (name): Rule => ({
      id: `v1.limits.header.${name}`,
      says: `Answers have \`RateLimit-${name[0]!.toUpperCase()}${name.slice(1)}\`.`,
      decision: true,
      async check(kit) {
        for (const answer of (await need('a burst of calls', burst(kit))).answers)
          if (!/^\d+$/.test(answer.headers[`ratelimit-${name}`] ?? '')) fail(`${told(answer)}; it has none`)
      },
    }),
  ),
  {
    id: 'v1.limits.waited',
    says: 'After the seconds that `Retry-After` names, the call passes.',
    async check(kit) {
      const answer = await limited(kit)
      const seconds = Number(retryAfter(answer) || Number.NaN)
      if (!(seconds > 0 && seconds <= maxWaitSeconds))
        notApplicable(`Retry-After is ${retryAfter(answer) || 'missing'}`)
      await kit.pause(seconds, 'to see whether the call passes then')
      const again = await caller(kit).get('/me', { keepLimited: true })
      if (again.status === 429) fail(`${told(again)}, ${seconds} s later`)
    },
  },
]
