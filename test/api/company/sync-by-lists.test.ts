import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAppWithFiles } from '../../support/app-with-files.ts'
import { createWriting, type Writing, writeALot } from '../../support/busy-tenant.ts'
import { type Actors, createWorld, lead, project } from '../../support/factories.ts'
import { begunAnew, createKiller, Killed } from '../../support/random-kill.ts'

const { app, at } = await startAppWithFiles()
const world = await createWorld(app.database.db)
const { installer, dealer } = world

interface Row {
  id: string
  updatedAt: string
  project?: { id: string } | null
}

const lists = ['leads', 'projects'] as const
type List = (typeof lists)[number]

/** What a client keeps: a copy of the rows, and of each list the time of the newest that it has. */
interface Kept {
  since: Record<List, string>
  rows: Record<List, Map<string, Row>>
}

const theBeginning = '2000-01-01T00:00:00Z'
const nothing = (): Kept => ({
  since: { leads: theBeginning, projects: theBeginning },
  rows: { leads: new Map(), projects: new Map() },
})

/** The oldest change first: whatever was kept of a page can be gone on from. */
function clientOf(of: Actors, kept: Kept, maybeDie: () => void, writing: Writing) {
  const readOn = async (list: List): Promise<number> => {
    let count = 0
    for (let cursor = ''; ; ) {
      const query = `order=asc&limit=4&updatedSince=${kept.since[list]}${cursor}`
      const { status, body, text } = await app.get(`/v1/${list}?${query}`, of.key)
      maybeDie()
      // A machine that has no connection to give just now: as if it had died.
      if (status === 503) throw new Killed()
      assert.equal(status, 200, text)
      let since = kept.since[list]
      for (const row of body.data as Row[]) {
        assert.ok(row.updatedAt > since, 'the list goes back')
        kept.rows[list].set(row.id, row)
        since = row.updatedAt
        maybeDie()
      }
      count += body.data.length
      if (!body.next) {
        kept.since[list] = since
        return count
      }
      // By its cursor or by its newest row: both are the next page.
      if (count % 8 === 0) kept.since[list] = since
      cursor = count % 8 === 0 ? '' : `&cursor=${body.next}`
      maybeDie()
    }
  }
  return async () => {
    for (;;) {
      const over = writing.isOver()
      const count = (await readOn('leads')) + (await readOn('projects'))
      if (over && count === 0) return
      if (count === 0) await writing.more()
    }
  }
}

async function everyRow(list: List, of: Actors): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor = ''; ; ) {
    const { body } = await app.get(`/v1/${list}?limit=100${cursor}`, of.key)
    rows.push(...body.data)
    if (!body.next) return rows
    cursor = `&cursor=${body.next}`
  }
}

const byId = (rows: Iterable<Row>) => Object.fromEntries([...rows].map((row) => [row.id, row]))

test('a copy kept by the lists, killed at any page under writers, ends as exactly what is there', async () => {
  for (let i = 0; i < 8; i++) await (i % 2 ? lead(installer) : project(dealer))
  const writing = createWriting()
  const clients = [installer, dealer].map((of, i) => {
    const kept = nothing()
    const killer = createKiller(51 + i, 0.08, () => writing.isOver() && killer.kills() > 10)
    return { of, kept, killer, done: begunAnew(clientOf(of, kept, killer.maybe, writing)) }
  })
  await writeALot({ app, at, world, turns: 6, wrote: writing.wrote })
  writing.end()
  for (const { of, kept, killer, done } of clients) {
    await done
    assert.ok(killer.kills() > 5, `it was killed ${killer.kills()} times only`)
    const { leads, projects } = kept.rows
    assert.deepEqual(byId(leads.values()), byId(await everyRow('leads', of)))
    // A sale that was undone shows on its lead: a list says what is there, and not what is gone.
    const sold = new Set([...leads.values()].map((row) => row.project?.id))
    const there = [...projects.values()].filter(({ id }) => sold.has(id))
    assert.deepEqual(byId(there), byId(await everyRow('projects', of)))
  }
})
