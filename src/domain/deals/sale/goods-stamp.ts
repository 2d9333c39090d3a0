import { createHash } from 'node:crypto'
import type { Project } from '../projects/project.ts'

/** Another one for each state of what the customer gets and for how much: by it somebody says what they have seen. */
export function goodsStamp({ system, products, contractPrice }: Project): string {
  const state = JSON.stringify([system, products, contractPrice])
  return createHash('sha256').update(state).digest('base64url').slice(0, 22)
}
