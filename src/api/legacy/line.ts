import type { FastifyRequest } from 'fastify'
import { asSeenBy, withBaseUrl } from '../../domain/deals/renderings/rendering.ts'
import type { Context, LineReach } from '../../domain/kernel/context.ts'
import { reachOf } from '../../domain/kernel/context.ts'
import type { ProductLine } from '../../domain/kernel/tenant/stage.ts'
import { contextOf } from '../http/authenticate.ts'
import type { Parts } from '../parts.ts'

/** What an operation and its twin for home improvement differ in. */
export interface Line {
  productLine: ProductLine
  suffix: '' | '_hi'
  /** As a summary names it. */
  kind: string
}

export const lines: readonly Line[] = [
  { productLine: 'solar', suffix: '', kind: 'solar' },
  { productLine: 'hi', suffix: '_hi', kind: 'home-improvement' },
]

/** What a use case is given by an operation of one product line. */
export function lineContext(parts: Parts, request: FastifyRequest, productLine: ProductLine): Context {
  return { ...contextOf(parts, request), productLine }
}

export function lineReach(ctx: Context, productLine: ProductLine): LineReach {
  return { ...reachOf(ctx), productLine }
}

/** Legacy records as the caller is to read them. */
export function readable(parts: Parts, request: FastifyRequest, records: string): string {
  return asSeenBy(request.caller!.actor.companyKind, withBaseUrl(records, parts.addresses.baseUrl))
}
