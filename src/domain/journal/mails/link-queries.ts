import type { Db, Statement } from '../../../platform/db.ts'
import { CannotOpen, type SecretBox } from '../../../platform/secret-box.ts'

/** What a mail's link is sealed for. */
export const sealedForLink = (installerId: string, mailId: string) => `mail-link:${installerId}:${mailId}`

// What still waits to be sent would arrive without its link: it is given up.
const erased = `link_sealed = null, state = case when state = 'queued' then 'failed' else state end,
  last_error = case when state = 'queued' then 'Not sent: its link is of no use any more.' else last_error end`

const eraseStatement: Statement = {
  name: 'erase-links',
  text: `update mails set ${erased} where link_ref = any($1) and link_sealed is not null returning installer_id`,
}

/** The links by these names are of no use any more: they were used, withdrawn or replaced. */
export async function eraseLinks(db: Db, refs: readonly string[]): Promise<void> {
  if (refs.length > 0) await db.query(eraseStatement, [refs])
}

const eraseExpiredStatement: Statement = {
  name: 'erase-expired-links',
  text: `update mails set ${erased} where link_sealed is not null and link_expires_at <= $1 returning installer_id`,
}

export async function eraseExpiredLinks(db: Db, now: Date): Promise<void> {
  await db.query(eraseExpiredStatement, [now])
}

interface SealedLink {
  installerId: string
  id: string
  ref: string
  sealed: string
}

const pageSize = 500

const sealedStatement: Statement = {
  name: 'sealed-links',
  text: `select installer_id as "installerId", id, link_ref as ref, link_sealed as sealed from mails
    where link_sealed is not null and (installer_id, id) > ($1, $2) order by installer_id, id limit ${pageSize}`,
}

const replaceStatement: Statement = {
  name: 'replace-sealed-link',
  text: 'update mails set link_sealed = $4 where installer_id = $1 and id = $2 and link_sealed = $3',
}

/** Seals by the newest key the links that an older one sealed. */
export async function sealLinks(db: Db, box: SecretBox): Promise<void> {
  for await (const { installerId, id, sealed } of everyLink(db)) {
    if (box.isCurrent(sealed)) continue
    const sealedFor = sealedForLink(installerId, id)
    await db.query(replaceStatement, [
      installerId,
      id,
      sealed,
      box.seal(box.open(sealed, sealedFor), sealedFor),
    ])
  }
}

/** Erases the links that no key opens any more. */
export async function forgetLinks(db: Db, box: SecretBox): Promise<void> {
  for await (const { installerId, id, ref, sealed } of everyLink(db)) {
    try {
      box.open(sealed, sealedForLink(installerId, id))
    } catch (error) {
      if (!(error instanceof CannotOpen)) throw error
      await eraseLinks(db, [ref])
    }
  }
}

async function* everyLink(db: Db): AsyncGenerator<SealedLink> {
  let after = ['', '']
  for (;;) {
    const links = await db.query<SealedLink>(sealedStatement, after)
    yield* links
    if (links.length < pageSize) return
    const { installerId, id } = links.at(-1)!
    after = [installerId, id]
  }
}
