import assert from 'node:assert/strict'
import type { App } from './app.ts'

// What a refused call was answered is kept where it names a key.
const tables = ['leads', 'projects', 'files', 'activities', 'events', 'checklist_items']
const counts = [...tables, 'calendar_entries', 'notifications', 'mails'].map(
  (table) => `(select count(*) from ${table}) as ${table}`,
)

/** How much is written down, when a tenant last wrote, and how many files are kept. */
async function written(app: App): Promise<object> {
  const [row] = await app.database.rows(
    `select ${counts.join(', ')}, (select string_agg(now::text, ' ' order by installer_id) from tenant_clocks) as clocks`,
  )
  return { ...row, stored: (await app.storedFiles()).length }
}

/** Calls as the app does, one call at a time, and makes sure that reading and what is refused write nothing. */
export async function startWatching(app: App): Promise<App['call']> {
  let before = await written(app)
  return async (method, path, options = {}) => {
    const answer = await app.call(method, path, options)
    const now = await written(app)
    const sent = `${method} ${path.slice(0, 300)} ${String(options.raw).slice(0, 1000)} ${answer.text}`
    if (answer.status >= 400 || method === 'GET') assert.deepEqual(now, before, sent)
    before = now
    return answer
  }
}
