import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { watchNodes } from '../../../src/platform/citus/watch-nodes.ts'

const [here, gone] = [1, 2]
let isGone = true
const news: [number, boolean][] = []
const looks: number[] = []
const watch = watchNodes(
  async (group) => {
    looks.push(group)
    return group === here || !isGone
  },
  (group, isAway) => news.push([group, isAway]),
)
after(() => watch.close())

const never = () => new Promise<string>(() => {})

test('what waits for a node that is away is given up, what comes then is refused at once, and others go on', async () => {
  const waiting = Promise.allSettled([watch.asking(gone, never), watch.asking(gone, never)])
  assert.equal(await watch.asking(here, async () => 'here'), 'here')
  for (const one of await waiting) assert.equal(one.status, 'rejected')
  assert.deepEqual(news, [[gone, true]])
  let wasAsked = false
  await assert.rejects(
    watch.asking(gone, async () => {
      wasAsked = true
    }),
    { name: 'DatabaseUnavailable', message: /does not answer/ },
  )
  assert.ok(!wasAsked)
  assert.ok(!looks.includes(here), 'nobody who answers at once is looked at')
})

test('it is asked again once it is there', async () => {
  isGone = false
  for (;;) {
    const answer = await watch.asking(gone, async () => 'back').catch(() => null)
    if (answer === 'back') break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.deepEqual(news.at(-1), [gone, false])
})

test('a long answer of a node that is there is waited for', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const before = looks.length
  const asked = watch.asking(here, () => promise)
  while (looks.length < before + 2) await new Promise((look) => setTimeout(look, 20))
  resolve('late')
  assert.equal(await asked, 'late')
})
