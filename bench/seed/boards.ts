import pg from 'pg'
import { ladderOf } from '../../src/domain/kernel/tenant/directory.ts'
import { givePassword } from '../../src/domain/tenants/people/set-password.ts'
import { openDatabase } from '../../src/platform/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { createRandom } from '../random.ts'
import { addDeal, insertRows, noRows, type Rows } from './insert-rows.ts'
import { sampleDeal } from './sample-deals.ts'
import { createTenant, type Tenant } from './tenants.ts'

/** A tenant whose projects stand on the solar board, and its owner. */
export interface SeededBoard {
  projects: number
  email: string
  password: string
}

const sizes = [100, 10_000]
const password = 'measured in the browser'
const batch = 500
const stepMs = 3_600_000

/** A small board and a large one. They are added to the copy that the run may change. */
export async function seedBoards(url: string, note: (message: string) => void): Promise<SeededBoard[]> {
  const db = openDatabase(url, () => {})
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    await client.query(`set session_replication_role = replica; set synchronous_commit = off`)
    const boards: SeededBoard[] = []
    for (const projects of sizes) {
      note(`a board of ${projects} projects`)
      const tenant = await createTenant(db, new Date(), `Installer of ${projects} projects`)
      for (let from = 0; from < projects; from += batch)
        await insertRows(client, renderBatch(tenant, from, Math.min(projects, from + batch)))
      const owner = [...tenant.directory.members.values()].find(({ role }) => role === 'owner')!
      await givePassword(db, new Date(), [{ ...owner, installerId: tenant.directory.installerId }], password)
      boards.push({ projects, email: owner.email, password })
    }
    await client.query('vacuum analyze leads, projects, activities, events')
    await client.query('checkpoint')
    return boards
  } finally {
    await client.end()
    await db.close()
  }
}

/** Solar projects, as many in each stage, the newest an hour old and an hour between them. */
function renderBatch({ directory, companyIds }: Tenant, from: number, to: number): Rows {
  const rows = noRows()
  const ladder = ladderOf(directory, 'solar')
  const now = Date.now()
  for (let index = from; index < to; index++) {
    const at = new Date(now - (index + 1) * stepMs)
    const place = {
      directory,
      companyId: companyIds[index % 5 === 4 ? 1 : 0]!,
      sold: true,
      index,
      pair: 0,
      at,
      leadId: newId('lead'),
      projectId: newId('proj'),
    }
    const deal = sampleDeal(place, createRandom(index))
    deal.project = { ...deal.project!, stageId: ladder[index % ladder.length]!.id }
    deal.files = []
    addDeal(rows, deal, directory)
  }
  return rows
}
