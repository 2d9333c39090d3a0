import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { serverFlags } from '../../bin/as-server.js'
import { createTestDatabase } from '../support/database.ts'
import { createWorld } from '../support/factories.ts'
import { root, run, temporaryFolder } from '../support/process.ts'
import { workbook } from '../support/xlsx.ts'

const database = await createTestDatabase()
const { installer } = await createWorld(database.db)
const folder = await temporaryFolder()
after(async () => {
  await database.drop()
  await folder.remove()
})

const fewRows = 1_000
/** The longer file says 55 MB more: kept in memory, they come to 80. */
const allowedMb = 45

/** A workbook in which every cell has a text of its own, some 18,000 letters for each row. */
function leadsWorkbook(name: string, count: number): Buffer {
  const shared = ['External ID', 'First Name', 'Last Name', 'Address', 'City', 'State', 'Zip', 'Notes']
  const rows = [shared.map((_, i) => i)]
  for (let i = 0; i < count; i++) {
    const notes = randomBytes(4_500).toString('base64').repeat(3)
    const values = [`${name}-${i}`, 'Ada', 'Moreno', `${i} Elm St`, 'Boston', 'MA', '02108', notes]
    rows.push(values.map((_, column) => shared.length + column))
    shared.push(...values)
  }
  const cells = (texts: number[]) => texts.map((text) => `<c t="s"><v>${text}</v></c>`).join('')
  return workbook(rows.map((texts) => `<row>${cells(texts)}</row>`).join(''), { shared })
}

async function peakOf(name: string, count: number): Promise<number> {
  const file = join(folder.path, `${name}.xlsx`)
  await writeFile(file, leadsWorkbook(name, count))
  const preload = ['--import', import.meta.resolve('../support/report-peak-memory.ts')]
  const command = ['import', '--company', installer.company.id, '--file', file, '--json']
  const { code, stdout, stderr } = await run(
    [process.execPath, ...serverFlags, ...preload, join(root, 'bin/sunstead.js'), ...command],
    { DATABASE_URL: database.url, DATA_DIR: folder.path },
  )
  assert.equal(code, 0, stderr)
  assert.equal(JSON.parse(stdout).made, count)
  return Number(/peak (\d+) MB/.exec(stderr)![1])
}

test('a file of four times as many rows takes no more memory', async () => {
  const few = await peakOf('few', fewRows)
  let many = await peakOf('many', 4 * fewRows)
  // What is kept shows every time; what a busy machine has not collected yet does not.
  if (many >= few + allowedMb) many = Math.min(many, await peakOf('again', 4 * fewRows))
  const found = `${few} MB for ${fewRows} rows, ${many} MB for ${4 * fewRows}`
  assert.ok(many < few + allowedMb, found)
})
