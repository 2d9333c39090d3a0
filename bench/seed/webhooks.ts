import type { Database } from '../../src/platform/db.ts'
import { createTenant } from './tenants.ts'

export interface TenantWithWebhooks {
  installerId: string
  key: string
}

/** A tenant with an endpoint at each of the ports, registered through the API. */
export async function createTenantWithWebhooks(
  db: Database,
  name: string,
  server: number,
  ports: readonly number[],
): Promise<TenantWithWebhooks> {
  const { directory, key } = await createTenant(db, new Date(), name)
  for (const port of ports) {
    const answer = await fetch(`http://127.0.0.1:${server}/catalog/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: `http://127.0.0.1:${port}/hook`, events: ['*'] }),
    })
    if (answer.status !== 201) throw new Error(`an endpoint was refused: ${await answer.text()}`)
  }
  return { installerId: directory.installerId, key }
}
