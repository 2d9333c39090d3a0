import type { Parts } from '../api/parts.ts'
import type { Config } from '../config.ts'

export interface DemoCompany {
  name: string
  kind: 'installer' | 'dealer'
  id: string
  orgId: number
  installerId: string
  key: string
  owner: { email: string; password: string }
}

export interface Demo {
  companies: DemoCompany[]
}

/** Makes the demo data where it is wanted and missing, and writes demo.json; null where there is no demo. */
export async function ensureDemo(_parts: Parts, _config: Config, _embedded: boolean): Promise<Demo | null> {
  return null
}
