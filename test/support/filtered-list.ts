import assert from 'node:assert/strict'
import type { App } from './app.ts'

type Filters = Record<string, string | number>

export const query = (filters: Filters) =>
  new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)])).toString()

/** A list of `/v1` as it is asked for by filters. */
export function filteredList(app: App, path: '/v1/leads' | '/v1/projects', ownKey: string) {
  return {
    /** Of all rows, page by page. */
    async ids(filters: Filters, key = ownKey): Promise<string[]> {
      const found: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = `${path}?${query(cursor ? { ...filters, cursor } : filters)}`
        const { status, body, text } = await app.get(page, key)
        assert.equal(status, 200, text)
        found.push(...body.data.map(({ id }: { id: string }) => id))
        cursor = body.next
      }
      return found
    },
    status: async (filters: Filters, key = ownKey) =>
      (await app.get(`${path}?${query(filters)}`, key)).status,
  }
}
