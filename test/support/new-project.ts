import type { TestDatabase } from './database.ts'
import type { Actors } from './factories.ts'

/** What `create_project` takes at least. */
export function newProject(of: { company: Pick<Actors['company'], 'number'> }, more: object = {}) {
  return {
    address: '1 Market St, Unit 4, San Diego, CA 92101',
    first_name: 'Ada',
    last_name: 'Moreno',
    email: 'ada@example.com',
    phone_number: '(619) 555-0100',
    org_id: String(of.company.number),
    sales_rep: 'nobody@example.com',
    setter: 'Nobody',
    system_size: 8.4,
    annual_production: 12650.5,
    consumption: 11800,
    system_cost: 28728.5,
    final_ppw: 3.42,
    base_ppw: 2.95,
    adder_ppw: 0.47,
    ...more,
  }
}

/** How many rows there are of everything that making a project writes. */
export async function written({ rows }: TestDatabase): Promise<Record<string, number>> {
  const tables =
    'leads projects activities events files checklist_items notifications mails idempotency_keys'.split(' ')
  const counts = tables.map((table) => `(select count(*) from ${table}) as ${table}`)
  const [row] = await rows<Record<string, number>>(`select ${counts.join(', ')}`)
  return row!
}
