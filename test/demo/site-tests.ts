import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Demo } from '../../src/demo/demo-json.ts'
import type { Answer } from './demo-server.ts'

function catalogueOf({ catalogBaseUrl, companies }: Demo, company: number) {
  const headers = { authorization: `Bearer ${companies[company]!.key}` }
  const get = async (path: string): Promise<Answer> => {
    const answer = await fetch(`${catalogBaseUrl}/v1${path}`, { headers })
    assert.equal(answer.status, 200, `${path}: ${answer.status}`)
    return answer.json()
  }
  const all = async (path: string): Promise<Answer[]> => {
    const rows: Answer[] = []
    for (let page = 1; ; page++) {
      const { data, meta } = await get(`${path}?per_page=100&page=${page}`)
      rows.push(...data)
      if (rows.length >= meta.total) return rows
    }
  }
  return { get, all }
}

/** What the catalogue API must find in the demo, for an installer. */
export function testSites(demo: () => Demo, company: number): void {
  test(`installer ${company} has watched sites with 13 months of energy that follows the sun`, async () => {
    const { get, all } = catalogueOf(demo(), company)
    const sites = (await all('/installations')).filter(({ panel_count }) => panel_count === 6)
    assert.ok(sites.length >= 4)
    const today = new Date()
    const day = (daysAgo: number) =>
      new Date(today.getTime() - daysAgo * 86_400_000).toISOString().slice(0, 10)
    for (const { id } of sites) {
      const { data, summary } = await get(
        `/monitoring/energy?installation_id=${id}&granularity=monthly&start_date=${day(400)}&end_date=${day(1)}`,
      )
      assert.ok(data.length >= 13, `${data.length} months`)
      // Of the first and the last month not all days are there; of one of each name they are.
      const whole = (month: RegExp) =>
        Math.max(
          ...data.filter(({ timestamp }: Answer) => month.test(timestamp)).map(({ kwh }: Answer) => kwh),
        )
      const winter = whole(/-12-/)
      const summer = whole(/-06-/)
      assert.ok(summer > 1.5 * winter, `${summer} in June, ${winter} in December`)
      assert.ok(summary.total_kwh > 0)
    }
    const hourly = await get(
      `/monitoring/energy?installation_id=${sites[0].id}&granularity=hourly&start_date=${day(200)}&end_date=${day(200)}`,
    )
    assert.ok(hourly.data.length >= 8 && hourly.data.length <= 16, 'by day there is energy, by night none')
  })

  test(`installer ${company} has alerts of every status, severity and type, and readings to decide about`, async () => {
    const { all } = catalogueOf(demo(), company)
    const alerts = await all('/monitoring/alerts')
    const values = (field: string) => [...new Set(alerts.map((alert) => alert[field]))].sort()
    assert.deepEqual(values('status'), ['acknowledged', 'active', 'resolved'])
    assert.deepEqual(values('severity'), ['critical', 'high', 'low', 'medium'])
    assert.deepEqual(values('type'), ['anomaly', 'data_gap', 'outage', 'underperformance'])
    const waiting = await all('/monitoring/quarantine')
    assert.ok(waiting.length >= 3, `${waiting.length} in quarantine`)
    assert.ok(waiting.every(({ kwh, most_kwh }) => kwh > most_kwh))
  })

  test(`installer ${company} has invoices of every status, numbered without gaps`, async () => {
    const { all } = catalogueOf(demo(), company)
    const invoices = await all('/billing/invoices')
    assert.deepEqual([...new Set(invoices.map(({ status }) => status))].sort(), [
      'draft',
      'open',
      'paid',
      'void',
    ])
    const numbers = invoices
      .flatMap(({ number }) => (number === null ? [] : [Number(number.slice(-6))]))
      .sort((a, b) => a - b)
    assert.deepEqual(
      numbers,
      numbers.map((_, i) => i + 1),
    )
  })
}
