import type { Database } from '../../../platform/db.ts'
import type { FileStore } from '../../../platform/file-store/file-store.ts'
import { releaseContents } from '../../deals/files/release-contents.ts'
import { forgetAnswers } from '../../journal/submissions/queries.ts'
import { lowered } from '../../kernel/search-form.ts'
import { eraseLog } from './erase-log.ts'
import { beyondDoubt, type Erasure, isNumber, mentions } from './erasure.ts'
import {
  deleteMails,
  deleteViews,
  eraseActivities,
  eraseKeptAnswers,
  eraseNotifications,
  listCustomerMails,
  listViewTexts,
} from './feed-queries.ts'
import { deleteFileRows } from './file-queries.ts'
import { type BatchPlace, listCallBatches, saveCallLines } from './request-queries.ts'

const batch = 500

/** What the feed, the bell and kept answers say of the customer. */
export async function eraseFeed(db: Database, erasure: Erasure): Promise<void> {
  const some = { ...erasure, limit: batch }
  while ((await eraseActivities(db, some)).length === batch);
  while ((await eraseNotifications(db, some)).length === batch);
  await eraseKeptAnswers(db, erasure)
  // Sealed, so nobody can tell which of them name the customer.
  await forgetAnswers(db, erasure)
}

/** Mails go whole, sent or not, with what the log says of them. */
export async function eraseMails(db: Database, erasure: Erasure): Promise<void> {
  for (;;) {
    const ids = await listCustomerMails(db, erasure, batch)
    if (ids.length === 0) return
    await eraseLog(db, erasure, ids)
    await deleteMails(db, { installerId: erasure.installerId, ids })
  }
}

/** Saved lists that are found by typing who it was. */
export async function eraseViews(db: Database, { installerId, companyId, person }: Erasure): Promise<void> {
  const views = await listViewTexts(db, { installerId })
  const sure = beyondDoubt(person)
  const about = views.filter(({ name, query, companyId: of }) =>
    mentions(`${name} ${plain(query)}`, of === companyId ? person : sure),
  )
  if (about.length > 0) await deleteViews(db, { installerId, ids: about.map(({ id }) => id) })
}

/** As it was typed. */
function plain(query: string): string {
  return [...new URLSearchParams(query)].flat().join(' ')
}

const beginning: BatchPlace = { keyId: '', lastAt: new Date(0), ordinal: 0 }

/** Calls whose address names the customer, such as one that asked for a lead by its email. */
export async function eraseCalls(db: Database, { installerId, companyId, person }: Erasure): Promise<void> {
  const { emails, phones, externalId } = person
  const own = spellings([...emails, ...phones, ...(externalId ? [externalId] : [])])
  // Of another company's calls only those that name them beyond doubt: an external id may be any text.
  const others = spellings([...emails, ...phones.filter(isNumber)])
  if (own.length === 0) return
  for (let after = beginning; ; ) {
    const page = await listCallBatches(db, { installerId, ...after, words: own, limit: batch })
    for (const { lines, companyId: of, ...place } of page) {
      if (lines === null) continue
      const words = of === companyId ? own : others
      const names = (line: string) => words.some((word) => lowered(line).includes(word))
      const kept = lines.split('\n').filter((line) => !names(line))
      await saveCallLines(db, { installerId, ...place, lines: kept.join('\n') })
    }
    if (page.length < batch) return
    after = page.at(-1)!
  }
}

/** Words as an address may have them. */
function spellings(words: readonly string[]): string[] {
  const spelled = words
    .filter((word) => word.length > 5)
    .flatMap((word) => [word, encodeURIComponent(word), encodeURI(word)])
  return [...new Set(spelled.map((word) => lowered(word)))]
}

const filesAtOnce = 100

/** Rows first, contents after it: what a process that dies leaves in the store is swept up, as nothing names it. */
export async function eraseFiles(
  db: Database,
  store: FileStore,
  { installerId, projectId }: Erasure,
): Promise<void> {
  if (projectId === null) return
  for (;;) {
    const files = await deleteFileRows(db, { installerId, projectId, limit: filesAtOnce })
    const keys = files.map(({ storeKey }) => storeKey)
    if (keys.length > 0) await releaseContents(db, store, installerId, keys)
    if (keys.length < filesAtOnce) return
  }
}
