import type { Query } from '@tanstack/react-query'
import type { LiveChange } from '../../src/api/console/live.ts'

/** Lists and sums that a change of a record may show in. */
const listsOf: Record<string, readonly string[]> = {
  lead: ['leads', 'board', 'calendar', 'home', 'notifications', 'search', 'approvals'],
  project: ['leads', 'board', 'calendar', 'home', 'notifications', 'search', 'approvals'],
  alert: ['monitoring'],
  installation: ['monitoring'],
  webhook: ['webhooks'],
  agent_proposal: ['approvals'],
  invoice: ['billing', 'approvals'],
  plan: ['billing'],
  credit: ['billing'],
}
const recordNames = ['lead', 'project', 'activities']
const idForm = /^(lead|proj)_/

/** Whether what a query shows may have changed. */
export function touches(changes: readonly LiveChange[]): (query: Query) => boolean {
  const types = new Set(changes.map(({ type }) => type))
  if (types.has('everything') || types.has('directory')) return () => true
  const lists = new Set(changes.flatMap(({ type }) => listsOf[type.split('.')[0]!] ?? []))
  const ids = new Set(changes.flatMap(({ leadId, projectId }) => [leadId, projectId]))
  const activity = types.has('activity')
  return ({ queryKey: [name, id] }) => {
    if (typeof name !== 'string') return false
    if (!recordNames.includes(name)) return lists.has(name)
    // Under a reference it could be any record.
    const some = ids.size > 0 && typeof id === 'string' && !idForm.test(id)
    return activity || some || ids.has(id as string)
  }
}
