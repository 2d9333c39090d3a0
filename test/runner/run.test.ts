import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { root, run } from '../support/process.ts'

/** Runs files of fixtures/ as npm test does, on the database of this run. */
function runFixtures(...names: string[]) {
  const { TEST_DATABASE_URL, TEST_TEMPLATE } = process.env
  const files = names.map((name) => `test/runner/fixtures/${name}.ts`)
  const env = {
    TEST_DATABASE_URL: TEST_DATABASE_URL!,
    TEST_TEMPLATE: TEST_TEMPLATE!,
    TEST_SILENCE_MS: '10000',
  }
  return run([process.execPath, join(root, 'test/runner/run.ts'), ...files], env)
}

test('files that pass are counted, one that is named twice once, and the run ends well', async () => {
  const { code, stdout } = await runFixtures('fine', 'fine')
  assert.equal(code, 0, stdout)
  assert.match(stdout, /ℹ tests 2\n.*ℹ suites 0\n.*ℹ pass 1\n.*ℹ fail 0\n.*ℹ cancelled 0\n.*ℹ skipped 1\n/s)
  assert.match(stdout, /slowest: +[\d.]+ s {2}test\/runner\/fixtures\/fine\.ts/)
})

test('whatever becomes of a file, it is named, and the others are run', async () => {
  const { code, stdout } = await runFixtures('throws', 'exits', 'fails', 'empty', 'hangs', 'fine')
  assert.equal(code, 1)
  const told = stdout.slice(stdout.indexOf('failing tests:'))
  const says = (file: string, why: string) =>
    assert.match(told, new RegExp(`✖ test/runner/fixtures/${file}\\.ts[^✖]*${why}`), told)
  says('throws', 'cannot be loaded')
  says('exits', 'ended by itself')
  says('fails', 'cannot be cleaned up')
  says('empty', 'holds no test')
  says('hangs', 'silent')
  assert.match(told, /✖ fails /)
  assert.match(stdout, /✔ passes before/)
  assert.match(stdout, /✔ test\/runner\/fixtures\/fine\.ts/)
})

test('what fails after its test has ended fails the run, and the test is named', async () => {
  const { code, stdout } = await runFixtures('late')
  assert.equal(code, 1)
  const told = stdout.slice(stdout.indexOf('failing tests:'))
  assert.match(told, /"fails when it is over" at test\/runner\/fixtures\/late\.ts.*"Error: too late"/)
})
