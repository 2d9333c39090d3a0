import type { Db } from '../../../platform/db.ts'
import { networkOf } from '../../../platform/network.ts'
import { doneBy, recordSecurity } from '../../journal/audit/record-security.ts'
import type { Origin } from '../../journal/audit/security-event.ts'
import type { Actor } from '../../kernel/context.ts'
import type { Folder } from '../../kernel/folder.ts'
import { findFolderOwner } from './opening-queries.ts'

/** What a thief of identities would look for: who opens it is noted. */
const guarded: readonly Folder[] = ['identification', 'contract']

/** A file, or the page that lists a folder. */
export interface Opened {
  installerId: string
  projectId: string
  folder: Folder
  fileId: string | null
}

/** Who opens it: somebody who is signed in, or has its address, of whom nothing is known but where they are. */
export type Opener = { actor: Actor } | { visitor: Origin }

/** Notes an opening, once in ten minutes for the same by the same, before anything is shown of it. */
export async function noteOpening(db: Db, now: Date, opener: Opener, opened: Opened): Promise<void> {
  const { installerId, projectId, folder, fileId } = opened
  if (!guarded.includes(folder)) return
  const owner = await findFolderOwner(db, { installerId, projectId })
  if (!owner) return
  const who =
    'actor' in opener
      ? doneBy(opener.actor)
      : {
          installerId,
          companyId: owner.companyId,
          actor: { kind: 'visitor', id: null, name: null } as const,
          origin: opener.visitor,
        }
  const subjectId = fileId ?? projectId
  await recordSecurity(db, now, [
    {
      ...who,
      type: fileId === null ? 'security.folder_opened' : 'security.file_opened',
      subjectId,
      projectId,
      leadId: owner.leadId,
      changes: { folder: [null, folder] },
      dedupeBy: [subjectId, folder, who.actor.id ?? networkOf(who.origin.address ?? '')],
    },
  ])
}
