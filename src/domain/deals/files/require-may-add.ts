import type { Actor } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import type { Folder } from '../../kernel/folder.ts'
import { folderNames } from '../../kernel/folder.ts'
import { may, mayInFolder } from '../../kernel/policy.ts'

/** Lets who may add to a folder go on. Whoever runs a dealer is told who may, not to ask themselves. */
export function requireMayAdd(actor: Actor, folder: Folder): void {
  if (mayInFolder(actor, 'add', folder)) return
  const who = may(actor, 'records.readAll')
    ? 'Only the installer’s people can.'
    : 'Ask an owner, admin or manager.'
  throw new DomainError('forbidden', `You can’t add files to “${folderNames[folder]}”. ${who}`)
}
