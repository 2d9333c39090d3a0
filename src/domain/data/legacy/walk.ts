import { hash } from 'node:crypto'
import { CallFailed, CallUnavailable, type JsonServer } from '../../../platform/outbound/get-json.ts'
import {
  failureIn,
  idIn,
  isObject,
  isWhole,
  listIn,
  type Reading,
  recordIn,
  saysSomething,
} from './answers.ts'
import type { MetRecord } from './planning.ts'
import type { LegacyList } from './source.ts'

export interface Asking {
  server: JsonServer
  /** `installer_id` or `org_id`, and its value. */
  scope: { name: 'installer_id' | 'org_id'; value: string }
}

/** An item of a list with its record, or why there is none. */
export type PageItem = { legacyId: string } & ({ met: MetRecord } | { failure: string })

const readsAtOnce = 4
const maxItems = 5_000
/** Servers that fail for one record after another have failed. */
const maxFailures = 10

/** A list that the server does not give, or not so that it can be read. */
export class ListRefused extends Error {
  override name = 'ListRefused'
}

/** What is on a page; null where there is no such page. */
export async function readPage(
  { server, scope }: Asking,
  list: LegacyList,
  page: number,
): Promise<unknown[] | null> {
  const operation = scope.name === 'installer_id' ? list.byInstaller : list.byCompany
  const isFirst = page === 1
  try {
    const answer = await server.get(operation, { [scope.name]: scope.value, page: String(page) })
    const failure = failureIn(answer)
    if (failure !== null && isFirst) throw new ListRefused(`${operation} answered: ${failure}`)
    const items = failure === null ? listIn(answer) : null
    // At the end some answer that there is nothing, and no list.
    if (items === null && isFirst) throw new ListRefused(`${operation} answered no list`)
    if ((items?.length ?? 0) > maxItems)
      throw new ListRefused(`${operation} answered a page of more than ${maxItems} records`)
    return items
  } catch (error) {
    if (!(error instanceof CallFailed) || isKeyRefused(error)) throw error
    const status = error.status ?? 0
    // Where pages count from 1, asking for page 0 may break something there.
    if (page === 0 && status >= 400 && status !== 429) return null
    if (error instanceof CallUnavailable) throw error
    if (!isFirst && noSuchPage.includes(status)) return null
    throw new ListRefused(isFirst ? error.message : `page ${page} of ${error.message}`)
  }
}

const noSuchPage = [400, 404, 410, 416, 422]
const isKeyRefused = ({ status }: CallFailed) => status === 401

/** The records of a page: its items where they are whole, else read one by one, a few at a time. */
export async function readItems(
  asking: Asking,
  list: LegacyList,
  items: readonly unknown[],
): Promise<PageItem[]> {
  const found = new Map<string, PageItem | Reading | null>()
  for (const item of items) {
    const flat = isObject(item) ? recordIn(item) : null
    const legacyId = idIn(flat ?? item, list.kind)
    if (legacyId === null) {
      const name = `(no id) ${hash('sha256', JSON.stringify(item) ?? '', 'hex').slice(0, 12)}`
      found.set(name, { legacyId: name, failure: 'the list gives no id for it' })
    } else if (!found.has(legacyId)) {
      found.set(
        legacyId,
        flat && isWhole(flat, list) ? { legacyId, met: { list, legacyId, reading: flat } } : null,
      )
    }
  }
  const missing = [...found].filter(([, one]) => one === null).map(([legacyId]) => legacyId)
  let failures = 0
  const readMissing = async () => {
    for (let legacyId = missing.shift(); legacyId !== undefined; legacyId = missing.shift()) {
      const one = await readOne(asking, list, legacyId)
      failures = 'failure' in one && one.lost ? failures + 1 : 0
      if (failures > maxFailures) throw new CallUnavailable(`${list.one} fails for every record`, null)
      found.set(legacyId, one)
    }
  }
  await Promise.all(Array.from({ length: readsAtOnce }, readMissing))
  return [...found.values()].filter((one) => one !== null) as PageItem[]
}

async function readOne(
  { server }: Asking,
  list: LegacyList,
  legacyId: string,
): Promise<PageItem & { lost?: boolean }> {
  const failed = (failure: string) => ({ legacyId, failure })
  try {
    const answer = await server.get(list.one, { id: legacyId })
    const failure = failureIn(answer)
    if (failure !== null) return failed(`${list.one} answered: ${failure}`)
    const reading = recordIn(answer)
    if (!reading || !saysSomething(reading, list)) return failed(`${list.one} answered no record`)
    const answered = idIn(reading, list.kind)
    if (answered !== null && answered !== legacyId) return failed(`${list.one} answered another record`)
    return { legacyId, met: { list, legacyId, reading } }
  } catch (error) {
    if (!(error instanceof CallFailed) || isKeyRefused(error)) throw error
    return { ...failed(error.message), lost: error instanceof CallUnavailable }
  }
}
