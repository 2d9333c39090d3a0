import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../src/platform/db.ts'
import { memoryOf } from './processes.ts'
import { memoryResult, promptnessResult, type Result } from './report.ts'
import { createTenant } from './seed/tenants.ts'

/** Brings in leads by the command line, whose job is the console's too. Told in two rows: its time and its memory. */
export const importLeads = 'import-100k-leads'

const half = 50_000
const all = 100_000
const limitMs = 90_000
const steady = 1.2
const lookMs = 100

export async function measureImport(url: string): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sunstead-bench-import-'))
  const db = openDatabase(url, () => {})
  try {
    const { companyIds } = await createTenant(db, new Date(), 'Importer')
    const importing = (count: number) => importOf(count, { company: companyIds[0]!, folder, url })
    const before = await importing(half)
    const whole = await importing(all)
    return [
      promptnessResult(importLeads, 'the time that it may take', limitMs, whole.ms, whole.ms),
      memoryResult(
        `${importLeads}-memory`,
        whole.peakMb,
        before.peakMb,
        `the same with ${half} leads`,
        steady,
      ),
    ]
  } finally {
    await db.close()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Place {
  company: string
  folder: string
  url: string
}

async function importOf(
  count: number,
  { company, folder, url }: Place,
): Promise<{ ms: number; peakMb: number }> {
  const file = join(folder, `${count}.csv`)
  await writeFile(file, leadsCsv(count))
  const startedAt = performance.now()
  const child = spawn(
    process.execPath,
    ['bin/sunstead.js', 'import', '--company', company, '--file', file, '--json'],
    {
      cwd: join(import.meta.dirname, '..'),
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATABASE_URL: url, DATA_DIR: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  let peakMb = 0
  const look = setInterval(() => {
    peakMb = Math.max(peakMb, memoryOf(child.pid!).now)
  }, lookMs)
  child.once('exit', () => clearInterval(look))
  const [code] = await once(child, 'close')
  const ms = Math.round(performance.now() - startedAt)
  if (code !== 0 || JSON.parse(printed).made !== count)
    throw new Error(`the import ended with ${code}:\n${printed}`)
  console.log(`          ${count} leads: ${(ms / 1000).toFixed(1)} s, ${peakMb.toFixed(1)} MB at its highest`)
  return { ms, peakMb }
}

function leadsCsv(count: number): string {
  const rows = Array.from({ length: count }, (_, i) =>
    [
      `${count}-${i}`,
      `Ada${i}`,
      `Moreno${i}`,
      `ada.moreno${i}@example.com`,
      `619 555 ${String(i % 10_000).padStart(4, '0')}`,
      `${i} Market Street,San Diego,CA,92101`,
      `"Called on day ${i}, wants a battery and a car charger"`,
    ].join(),
  )
  return `External ID,First Name,Last Name,Email,Phone,Street,City,State,Zip,Notes\n${rows.join('\n')}\n`
}
