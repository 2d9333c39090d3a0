import { currentTime } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { CallFailed } from '../../../platform/outbound/get-json.ts'
import type { Context } from '../../kernel/context.ts'
import { learnSize } from '../imports/lead-queries.ts'
import { createSeenIds, type SeenIds } from '../imports/seen-ids.ts'
import { failureIn, listIn } from './answers.ts'
import { filesOf } from './files-of-reading.ts'
import { scopeText } from './find-scope.ts'
import type { MetRecord } from './planning.ts'
import { beginRun, endWalk, findRecords, findSource, keepPlace, learnRecords, noteFiles } from './queries.ts'
import { createReader } from './reader.ts'
import type { LegacyList, LegacySource } from './source.ts'
import { legacyLists } from './source.ts'
import { type CatalogueTaken, takeCatalogue } from './take-catalogue.ts'
import { type FileTaking, takeFiles } from './take-files.ts'
import type { Tally } from './tally.ts'
import { type Asking, ListRefused, type PageItem, readItems, readPage } from './walk.ts'
import { type DoneRecord, holdSource, type Writing, writeRecords, writeRefused } from './write-records.ts'

export interface Pulling extends Omit<Writing, 'source'> {
  asking: Asking
  company: Pick<LegacySource, 'installerId' | 'companyId'> & { isInstaller: boolean }
  baseUrl: string
  /** Null: no files. */
  taking: FileTaking | null
  signal: AbortSignal
  tally: Tally
}

export interface Pulled {
  source: LegacySource
  /** Lists that the server does not give, and why. */
  lists: { list: string; message: string }[]
  catalogue: Record<string, CatalogueTaken | { message: string }>
}

/** Asked again in the same way, the server would say the same. */
export class NoLists extends CallFailed {
  override name = 'NoLists'
}

/** In a transaction that holds the tenant's lock: about a tenth of a second. */
const batchRecords = 25
const maxPages = 100_000
const maxHeadPages = 100
const learnEveryPages = 20
/** Of one list: one that never ends must not fill the database. */
const maxRecords = 1_000_000

/**
 * Brings a company over from a server that speaks the legacy API, list by list and page by page. After each page the place is
 * kept; a run that is killed is gone on with, and what it meets again it finds done.
 */
export async function pullCompany(pulling: Pulling): Promise<Pulled> {
  const { db, asking, company, baseUrl, dryRun } = pulling
  const { installerId, companyId } = company
  const at = { installerId, companyId, baseUrl, scope: scopeText(asking.scope) }
  const runner = newId('run')
  const source: LegacySource = dryRun
    ? foreseen((await findSource(db, at)) ?? { ...at, id: '', walk: 0, list: null, page: null, runner })
    : await beginRun(db, { ...at, id: newId('src'), runner, now: currentTime() })
  const pulled: Pulled = { source, lists: [], catalogue: {} }
  const seen = dryRun ? createSeenIds(2 * maxRecords) : null
  const run: Run = {
    ...pulling,
    source,
    seen,
    // A list that was refused is asked for again by the run that goes on, so the place is not kept beyond it.
    async keepPlace(list, page) {
      if (!dryRun && pulled.lists.length === 0) await keepPlace(db, { ...source, list, page })
    },
  }

  await pullCatalogue(run, pulled)
  const nameOf = (list: LegacyList) => (asking.scope.name === 'org_id' ? list.byCompany : list.byInstaller)
  const resumed = dryRun ? -1 : legacyLists.findIndex((list) => nameOf(list) === source.list)
  for (const [i, list] of legacyLists.entries()) {
    if (i < resumed) continue
    try {
      await pullList(run, list, i === resumed ? source.page : null)
    } catch (error) {
      if (!(error instanceof ListRefused)) throw error
      pulled.lists.push({ list: nameOf(list), message: error.message })
    }
    const next = legacyLists[i + 1]
    if (next) await run.keepPlace(nameOf(next), 0)
  }
  if (pulled.lists.length === legacyLists.length)
    throw new NoLists(`The old server gives none of the lists: ${pulled.lists[0]!.message}`, null)
  if (!dryRun) await endWalk(db, { ...source, now: currentTime() })
  return pulled
}

/** As a run would find it after the next walk has begun. */
const foreseen = (source: LegacySource): LegacySource => ({ ...source, walk: source.walk + 1 })

interface Run extends Pulling {
  source: LegacySource
  /** Of a dry run, which remembers nothing elsewhere. */
  seen: SeenIds | null
  keepPlace: (list: string, page: number) => Promise<void>
}

/** Whoever runs the command may change the catalogue; work in somebody's name may not. */
const asOwner = (ctx: Context): Context => ({ ...ctx, actor: { ...ctx.actor, role: 'owner' } })

async function pullCatalogue(run: Run, pulled: Pulled): Promise<void> {
  const { asking, company } = run
  if (!company.isInstaller) return
  const byInstaller = asking.scope.name === 'installer_id'
  const query = byInstaller ? { installer_id: asking.scope.value } : {}
  const operations = [...(byInstaller ? ['fetch_all_panel', 'fetch_all_inverter'] : []), 'fetch_all_adders']
  for (const operation of operations) {
    try {
      const answer = await asking.server.get(operation, query as Record<string, string>)
      const items = listIn(answer)
      const failure = failureIn(answer) ?? (items === null ? 'no list' : null)
      pulled.catalogue[operation] =
        failure !== null
          ? { message: `${operation} answered: ${failure}` }
          : await takeCatalogue(asOwner(run.context(run.db)), operation, items!.slice(0, 2_000), run.dryRun)
    } catch (error) {
      // The catalogue is not worth more than the rest.
      if (!(error instanceof CallFailed) || error.status === 401) throw error
      pulled.catalogue[operation] = { message: error.message }
    }
  }
}

/**
 * Walks through a list until a page brings nothing new: counts are not believed, and pages may repeat. Whether they begin with 0
 * or 1 nobody says, so both are asked for. What changes meanwhile may have gone to the front, which is looked at once more.
 */
async function pullList(run: Run, list: LegacyList, from: number | null): Promise<void> {
  const { asking, dryRun } = run
  const operation = asking.scope.name === 'org_id' ? list.byCompany : list.byInstaller
  let fromZero = false
  let records = 0
  for (let page = from ?? 0; page < maxPages; page++) {
    const items = await readPage(asking, list, page)
    const isEmpty = items === null || items.length === 0
    const fresh = isEmpty ? 0 : await pullPage(run, list, items, 'walk')
    if (page === 0) fromZero = !isEmpty
    records += fresh
    if (records > maxRecords)
      throw new ListRefused(`${operation} gives more than ${maxRecords} records: the rest was left`)
    // The first page after a break may have been done before it.
    const mayEnd = page > 1 || (page === 1 && !fromZero)
    if (fresh === 0 && mayEnd && (page !== from || isEmpty)) break
    if (!dryRun && page % learnEveryPages === 1) {
      await learnSize(run.db)
      await learnRecords(run.db)
    }
    await run.keepPlace(operation, page + 1)
  }
  if (dryRun) return
  for (let page = 1; page <= maxHeadPages; page++) {
    const items = await readPage(asking, list, page)
    if (!items || items.length === 0 || (await pullPage(run, list, items, 'front')) === 0) return
  }
}

/** Takes over a page; answers how many of its records are met for the first time in this walk. */
async function pullPage(
  run: Run,
  list: LegacyList,
  items: readonly unknown[],
  look: 'walk' | 'front',
): Promise<number> {
  run.signal.throwIfAborted()
  const { db, source, seen } = run
  const { installerId, id: sourceId } = source
  const all = await readItems(run.asking, list, items)
  const legacyIds = all.map(({ legacyId }) => legacyId)
  const known = await findRecords(db, { installerId, sourceId, ...list, legacyIds })
  const before = new Map(known.map((one) => [one.legacyId, one]))
  const isNew = ({ legacyId }: PageItem) =>
    seen
      ? !seen.meet(`${list.kind} ${list.productLine} ${legacyId}`)
      : before.get(legacyId)?.walk !== source.walk
  const fresh = all.filter(isNew)
  const freshIds = new Set(fresh.map(({ legacyId }) => legacyId))
  // Where a page was broken off, its projects are there and their files may not be.
  const wanted = seen ? fresh : all
  for (let i = 0; i < wanted.length; i += batchRecords) {
    run.signal.throwIfAborted()
    const batch = wanted.slice(i, i + batchRecords)
    await pullBatch(run, list, batch, (legacyId) => look === 'walk' || freshIds.has(legacyId))
  }
  return fresh.length
}

async function pullBatch(
  run: Run,
  list: LegacyList,
  batch: readonly PageItem[],
  takesFiles: (legacyId: string) => boolean,
): Promise<void> {
  const { tally, taking, dryRun } = run
  const met: MetRecord[] = []
  for (const item of batch) {
    if ('met' in item) met.push(item.met)
    else tally.add(await writeRefused(run, { list, legacyId: item.legacyId, reading: {} }, item.failure))
  }
  const done = await writeRecords(run, met)
  for (const one of done) {
    tally.add(one)
    if (list.kind === 'project' && one.projectId !== null && takesFiles(one.record.legacyId))
      await pullFiles(run, one, dryRun ? null : taking)
  }
}

async function pullFiles(
  run: Run,
  { met, projectId, record }: DoneRecord,
  taking: FileTaking | null,
): Promise<void> {
  const { source, tally, db } = run
  const reader = createReader(met.reading)
  const addresses = filesOf(reader)
  tally.files(addresses.length)
  if (!taking) return
  const taken = await takeFiles(run, taking, { projectId: projectId!, record }, addresses)
  const problems = [...reader.problems, ...taken.problems].filter(
    (one) => !record.problems.some((known) => known.field === one.field && known.message === one.message),
  )
  tally.copied(taken.copied, record, problems)
  if (problems.length === 0) return
  await db.transaction(async (tx) => {
    await holdSource(tx, source)
    await noteFiles(tx, {
      ...record,
      installerId: source.installerId,
      sourceId: source.id,
      files: 0,
      problems: JSON.stringify(problems),
    })
  })
}
