import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAppWithFiles } from '../../support/app-with-files.ts'
import { createWriting, type Writing, writeALot } from '../../support/busy-tenant.ts'
import { type Actors, createWorld, lead, project } from '../../support/factories.ts'
import { begunAnew, createKiller, Killed } from '../../support/random-kill.ts'

const { app, at } = await startAppWithFiles()
const world = await createWorld(app.database.db)
const { installer, dealer } = world

interface Copied {
  id: string
}

/** What a client keeps: a copy of the records, and one place. Nothing else outlives it. */
interface Kept {
  place: string | null
  /** Whether the lists were read through. */
  listed: boolean
  records: Record<'lead' | 'project' | 'file' | 'activity', Map<string, Copied>>
}

const nothing = (): Kept => ({
  place: null,
  listed: false,
  records: { lead: new Map(), project: new Map(), file: new Map(), activity: new Map() },
})

/** What is there when the client begins is read from the lists, and what happened meanwhile and since from the feed. */
function clientOf(of: Actors, kept: Kept, maybeDie: () => void, writing: Writing) {
  const get = async (path: string) => {
    const { status, body, text } = await app.get(path, of.key)
    maybeDie()
    // A machine that has no connection to give just now: as if it had died.
    if (status === 503) throw new Killed()
    assert.equal(status, 200, `${path}: ${text}`)
    return body
  }
  const list = async (path: string, keep: (row: Copied) => Promise<void>) => {
    for (let cursor = ''; ; ) {
      const { data, next } = await get(`${path}?limit=5${cursor}`)
      for (const row of data) await keep(row)
      if (!next) return
      cursor = `&cursor=${next}`
    }
  }
  return async () => {
    const { lead, project } = kept.records
    if (!kept.place) kept.place = (await get('/v1/events?after=now')).next as string
    if (!kept.listed) {
      await list('/v1/leads', async (row) => {
        lead.set(row.id, row)
      })
      await list('/v1/projects', async ({ id }) => {
        const { status, body } = await app.get(`/v1/projects/${id}`, of.key)
        if (status === 503) throw new Killed()
        // What was sold when it was listed may have been undone since.
        if (status === 200) project.set(id, body)
      })
      kept.listed = true
    }
    for (;;) {
      const over = writing.isOver()
      const { data, next } = await get(`/v1/events?limit=7&after=${kept.place}`)
      for (const event of data) {
        const records = kept.records[event.record.type as keyof Kept['records']]
        if (event.type.endsWith('.deleted')) records?.delete(event.record.id)
        else records?.set(event.record.id, event.data)
        maybeDie()
      }
      maybeDie()
      kept.place = next
      maybeDie()
      if (over && data.length === 0) return
      if (data.length === 0) await writing.more()
    }
  }
}

async function everyRow(path: string, of: Actors): Promise<Copied[]> {
  const rows: Copied[] = []
  for (let cursor = ''; ; ) {
    const { body } = await app.get(`${path}${path.includes('?') ? '&' : '?'}limit=100${cursor}`, of.key)
    rows.push(...body.data)
    if (!body.next) return rows
    cursor = `&cursor=${body.next}`
  }
}

const byId = (rows: Iterable<Copied>) => Object.fromEntries([...rows].map((row) => [row.id, row]))

test('a copy kept by the feed, killed at any page under writers, ends as exactly what is there', async () => {
  for (let i = 0; i < 8; i++) await (i % 2 ? lead(installer) : project(dealer))
  const writing = createWriting()
  const clients = [installer, dealer, installer].map((of, i) => {
    const kept = nothing()
    const killer = createKiller(41 + i, 0.05, () => writing.isOver() && killer.kills() > 10)
    const client = clientOf(of, kept, killer.maybe, writing)
    return { of, kept, killer, done: begunAnew(client) }
  })
  await writeALot({ app, at, world, turns: 6, wrote: writing.wrote })
  writing.end()
  for (const { of, kept, killer, done } of clients) {
    await done
    assert.ok(killer.kills() > 5, `it was killed ${killer.kills()} times only`)
    const { lead: leads, project: projects, file: files, activity: entries } = kept.records
    assert.deepEqual(byId(leads.values()), byId(await everyRow('/v1/leads', of)))
    const there = await Promise.all(
      (await everyRow('/v1/projects', of)).map(
        async ({ id }) => (await app.get(`/v1/projects/${id}`, of.key)).body,
      ),
    )
    assert.deepEqual(byId(projects.values()), byId(there))
    const addresses = there.flatMap((project) => Object.values(project.files).flat())
    assert.deepEqual(
      [...files.values()].map((file) => (file as { url?: string }).url).toSorted(),
      addresses.toSorted(),
    )
    const written = await Promise.all(
      [...leads.keys()].map((id) => everyRow(`/v1/leads/${id}/activities`, of)),
    )
    const notes = written.flat().filter((entry) => (entry as { type?: string }).type === 'note')
    const heard = [...entries.values()].filter((entry) => (entry as { type?: string }).type === 'note')
    assert.deepEqual(heard.map(({ id }) => id).toSorted(), notes.map(({ id }) => id).toSorted())
  }
})
