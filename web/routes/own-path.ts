/**
 * Where somebody goes after signing in, as a link names it: a page of ours, or none. As browsers read it, who leave out
 * tabs and line ends and take a second slash for another site.
 */
export function ownPath(to: string | undefined, origin: string): string | undefined {
  if (!to?.startsWith('/')) return undefined
  const url = URL.parse(to, origin)
  if (url?.origin !== origin) return undefined
  const path = url.pathname + url.search + url.hash
  return path.startsWith('//') ? undefined : path
}
