import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastConnections, type ProcessRole, shareConnections } from '../../src/platform/database-limits.ts'

const roles: ProcessRole[] = ['all', 'web', 'worker']

test('whatever a process may hold and does, its parts take no more of it, and none goes without', () => {
  for (const role of roles) {
    for (let total = leastConnections; total <= 60; total++) {
      const { calls, jobs, queue, sessions } = shareConnections(total, role)
      const leader = role === 'web' ? 0 : 1
      const parts = [
        calls.pool,
        calls.readConnections,
        calls.writeConnections,
        jobs.pool,
        jobs.asyncCommitPool,
      ]
      assert.ok(parts.every((part) => part > 0))
      assert.ok(jobs.pool >= 2 && calls.pool >= 2)
      assert.equal(queue >= 3, role !== 'web')
      assert.equal(sessions > 0, role !== 'worker')
      assert.equal(calls.asyncCommitPool + jobs.readConnections + jobs.writeConnections, 0)
      const sum = parts.reduce((a, b) => a + b) + queue + sessions + leader
      assert.ok(sum <= total, `${sum} of ${total} for ${role}`)
    }
  }
})
