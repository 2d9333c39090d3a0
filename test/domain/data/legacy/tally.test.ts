import assert from 'node:assert/strict'
import { test } from 'node:test'
import { legacyLead } from '../../../support/legacy-source.ts'
import { pagesOf, solarLeads, startMoving } from '../../../support/moving.ts'

const { moving } = await startMoving()

test('of very many different problems the first are listed and the others counted', async () => {
  const oddLeads = Array.from({ length: 350 }, (_, i) =>
    legacyLead(`ODD${String(i).padStart(7, '0')}`, {
      leadStatus: `Odd ${i}`,
      salesRepEmail: `rep${i}@example.com`,
      setterEmail: `setter${i}@example.com`,
    }),
  )
  const { pull } = await moving(pagesOf({ [solarLeads]: oddLeads }), { maxBytes: 10_000_000 })
  for (const dryRun of [true, false]) {
    const { report } = await pull({ dryRun })
    assert.deepEqual([report.problems.length, report.moreProblems], [1_000, 50], `dry run: ${dryRun}`)
  }
})
