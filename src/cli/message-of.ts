const reasons: Record<string, string> = {
  EACCES: 'this user may not. Run it as its owner',
  EPERM: 'this user may not. Run it as its owner',
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk is full',
  ENOENT: 'it is not there',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it is there already',
}

/** What is said of an error: a file that cannot be used is told in words, whichever command met it. */
export function messageOf(error: NodeJS.ErrnoException & { dest?: string }): string {
  const { code, path, dest, message } = error
  const reason = code && reasons[code]
  if (!reason || !path) return message
  return `${dest ? `${path}, or ${dest},` : path} cannot be used: ${reason}.`
}
