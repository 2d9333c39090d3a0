import type { Db } from '../../../platform/db.ts'
import { CannotOpen, type SecretBox } from '../../../platform/secret-box.ts'
import { inOrder } from '../../../platform/sql/gather.ts'
import { row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many, run } from '../../../platform/sql/statements.ts'

/** What a mail's link is sealed for. */
export const sealedForLink = (installerId: string, mailId: string) => `mail-link:${installerId}:${mailId}`

// What still waits to be sent would arrive without its link: it is given up.
const erased = sql`link_sealed = null, state = case when state = 'queued' then 'failed' else state end,
  last_error = case when state = 'queued' then 'Not sent: its link is of no use any more.' else last_error end`

const eraseByRef = run(
  ($: Params<{ installerId: string; refs: readonly string[] }>) => sql`
    update mails set ${erased}
    where installer_id = ${$.installerId} and link_ref = any(${$.refs}::text[]) and link_sealed is not null`,
)

/** A tenant's links by these names are of no use any more: they were used, withdrawn or replaced. */
export async function eraseLinks(db: Db, installerId: string, refs: readonly string[]): Promise<void> {
  if (refs.length > 0) await eraseByRef(db, { installerId, refs })
}

export const eraseExpiredLinks = run(
  ($: Params<{ now: Date }>) => sql`
    update mails set ${erased} where link_sealed is not null and link_expires_at <= ${$.now}`,
  { across: 'the few that have run out since ten minutes ago, of all companies at once' },
)

interface SealedLink {
  installerId: string
  id: string
  ref: string
  sealed: string
}

const pageSize = 500
const sealedLink = row<SealedLink>({ installerId: text, id: text, ref: text, sealed: text })

const listLinks = many(
  sealedLink,
  ($: Params<{ afterInstaller: string; afterId: string; limit: number }>) => sql`
    select ${select(sealedLink, '', { ref: sql`link_ref`, sealed: sql`link_sealed` })} from mails
    where link_sealed is not null and (installer_id, id) > (${$.afterInstaller}, ${$.afterId})
    order by installer_id, id limit ${$.limit}`,
  { across: 'a key of the server seals the links of all companies', gather: inOrder('installerId', 'id') },
)

const replaceLink = run(
  ($: Params<SealedLink & { renewed: string }>) => sql`
    update mails set link_sealed = ${$.renewed}
    where installer_id = ${$.installerId} and id = ${$.id} and link_sealed = ${$.sealed}`,
)

/** Seals by the newest key the links that an older one sealed. */
export async function sealLinks(db: Db, box: SecretBox): Promise<void> {
  for await (const link of everyLink(db)) {
    if (box.isCurrent(link.sealed)) continue
    const sealedFor = sealedForLink(link.installerId, link.id)
    await replaceLink(db, { ...link, renewed: box.seal(box.open(link.sealed, sealedFor), sealedFor) })
  }
}

/** Erases the links that no key opens any more. */
export async function forgetLinks(db: Db, box: SecretBox): Promise<void> {
  for await (const { installerId, id, ref, sealed } of everyLink(db)) {
    try {
      box.open(sealed, sealedForLink(installerId, id))
    } catch (error) {
      if (!(error instanceof CannotOpen)) throw error
      await eraseLinks(db, installerId, [ref])
    }
  }
}

async function* everyLink(db: Db): AsyncGenerator<SealedLink> {
  let after = { afterInstaller: '', afterId: '' }
  for (;;) {
    const links = await listLinks(db, { ...after, limit: pageSize })
    yield* links
    if (links.length < pageSize) return
    const { installerId, id } = links.at(-1)!
    after = { afterInstaller: installerId, afterId: id }
  }
}
