import type { Db } from '../../../platform/db.ts'
import type { FileStore } from '../../../platform/file-store/file-store.ts'
import { type LineList, lineList } from '../../../platform/line-file.ts'
import { type ListedErasure, listErasures } from './queries.ts'

/** What a line of the list outside the database says; of one lead, the last. */
type ErasedEntry = Pick<ListedErasure, 'installerId' | 'companyId' | 'leadId' | 'reason'>

export const erasedKey = ({ installerId, leadId }: Pick<ListedErasure, 'installerId' | 'leadId'>) =>
  `${installerId} ${leadId}`

/** The list: in the store where hosts share one, else in a file of this host. */
export function openErasedList(path: string, { sharedLines }: Pick<FileStore, 'sharedLines'>): LineList {
  return lineList(path, sharedLines?.('erased-leads') ?? null)
}

/** The list by installer and lead. A line that was cut off by a crash is none: it is written again. */
export function readErasedList(text: string): Map<string, ErasedEntry> {
  return new Map(text.split('\n').flatMap((line) => entryOf(line).map((entry) => [erasedKey(entry), entry])))
}

function entryOf(line: string): ErasedEntry[] {
  try {
    const { installerId, companyId, leadId, reason } = JSON.parse(line) as Record<string, unknown>
    if (typeof installerId !== 'string' || typeof companyId !== 'string' || typeof leadId !== 'string')
      return []
    return [{ installerId, companyId, leadId, reason: reason === 'retention' ? reason : 'request' }]
  } catch {
    return []
  }
}

const atOnce = 1_000

/** The list as it should be: who is erased in the database, and who stands on the given list besides. */
export async function* fullErasedList(db: Db, list: string): AsyncGenerator<string> {
  const written = new Set<string>()
  for (let last: ListedErasure | undefined, more = true; more; ) {
    const page = await listErasures(db, {
      afterInstaller: last?.installerId ?? '',
      afterLead: last?.leadId ?? '',
      limit: atOnce,
    })
    for (const erasure of page) {
      written.add(erasedKey(erasure))
      yield JSON.stringify(erasure)
    }
    last = page.at(-1)
    more = page.length === atOnce
  }
  for (const line of list.split('\n')) {
    const [entry] = entryOf(line)
    if (!entry || written.has(erasedKey(entry))) continue
    written.add(erasedKey(entry))
    yield line
  }
}
