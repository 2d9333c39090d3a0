import { createHash } from 'node:crypto'
import { cleanFileName } from '../../../platform/file-name.ts'
import type { FileStore } from '../../../platform/file-store/file-store.ts'
import { newId } from '../../../platform/ids.ts'
import { ContentRefused } from '../../../platform/outbound/refused.ts'
import type { Sent } from '../../../platform/receive-file.ts'
import { removeContents } from '../../deals/files/release-contents.ts'
import { addUsage } from '../../deals/storage/queries.ts'
import { requireQuota } from '../../deals/storage/require-quota.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { lockTenant } from '../../kernel/tenant/clock-queries.ts'
import { guessMapping } from './guess-mapping.ts'
import { findLastMapping, insertImport } from './queries.ts'
import { receiveTable } from './receive-table.ts'

/** Takes a file of leads or projects, and guesses what its columns hold, or reads them as the company did before. */
export async function createImport(ctx: Context, store: FileStore, given: Sent): Promise<{ id: string }> {
  const sent = { ...given, name: cleanFileName(given.name) }
  const { db, actor, now } = ctx
  authorize(actor, 'imports.run')
  await requireQuota(db, actor, sent.size ?? 0)
  const table = await receiveTable(store, sent).catch((error) => {
    throw refusal(error, sent.name)
  })
  const { header, samples } = table
  const headerHash = createHash('sha256').update(JSON.stringify(header)).digest('hex')
  const mapping = (await findLastMapping(db, actor, headerHash)) ?? guessMapping(header, samples)
  const id = newId('imp')
  try {
    await db.transaction(async (tx) => {
      await lockTenant(tx, actor.installerId)
      await requireQuota(tx, actor, table.storedBytes)
      await addUsage(tx, actor.installerId, actor.companyId, table.storedBytes)
      await insertImport(tx, actor, now, { ...table, id, name: sent.name, headerHash, mapping })
    })
  } catch (error) {
    // Whether it was written is not always known: a file too many is swept up later.
    if (error instanceof DomainError) await removeContents(store, [table.storeKey])
    throw error
  }
  return { id }
}

function refusal(error: unknown, name: string): unknown {
  if (error instanceof ContentRefused) return new DomainError('invalid', `${name} ${error.message}.`)
  const cut = (error as { code?: string }).code === 'ECONNRESET'
  return cut ? new DomainError('invalid', 'The upload was cut off. Send it again.') : error
}
