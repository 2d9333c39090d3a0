import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { apiCalls } from '../../bench/growth/calls-api.ts'
import { consoleCalls } from '../../bench/growth/calls-console.ts'
import { readingCalls } from '../../bench/growth/calls-readings.ts'
import { normal, notMeasured, routeOf } from '../../bench/growth/routes.ts'
import { consoleRoutes } from '../support/console-routes.ts'
import { root } from '../support/process.ts'

const interfaces = { 'company-key-api': '', 'legacy-workflow-api': '/legacy', 'catalogue-api': '/catalog' }

const calls = [...apiCalls, ...consoleCalls, ...readingCalls.filter(({ kind }) => kind !== 'sync')]

/** Every address that answers a reading. */
function readingRoutes(): string[] {
  const ofConsole = Object.keys(consoleRoutes).flatMap((route) => {
    const [method, path] = route.split(' ')
    return method === 'GET' ? [normal(`/console/api${path}`)] : []
  })
  const ofPrograms = Object.entries(interfaces).flatMap(([file, prefix]) => {
    const { paths } = JSON.parse(readFileSync(join(root, `openapi/${file}.json`), 'utf8'))
    return Object.keys(paths).flatMap((path) => ('get' in paths[path] ? [normal(`${prefix}${path}`)] : []))
  })
  return [...ofConsole, ...ofPrograms]
}

test('whatever lists, searches or sums is measured as it grows, or says why not', () => {
  const routes = readingRoutes()
  assert.ok(routes.length > 100)
  const measured = new Set(calls.map(routeOf))
  const missed = routes.filter((route) => !measured.has(route) && !notMeasured[route])
  assert.deepEqual(missed, [], 'add a call to bench/growth, or a reason to bench/growth/routes.ts')
})

test('what is measured, or is said not to be, is there', () => {
  const routes = new Set(readingRoutes())
  const measured = [...new Set(calls.map(routeOf))]
  assert.deepEqual(
    [...measured, ...Object.keys(notMeasured)].filter((route) => !routes.has(route)),
    [],
  )
  assert.deepEqual(
    measured.filter((route) => notMeasured[route]),
    [],
  )
})
