import type { FastifyRequest } from 'fastify'
import { type RenderedBytes, renderedBytes } from '../../domain/deals/renderings/rendered-bytes.ts'
import { asSeenBy, withBaseUrl } from '../../domain/deals/renderings/rendering.ts'
import type { Context, LineScope } from '../../domain/kernel/context.ts'
import { scopeOf } from '../../domain/kernel/context.ts'
import type { ProductLine } from '../../domain/kernel/tenant/stage.ts'
import type { Deps } from '../deps.ts'
import { contextOf } from '../http/authenticate.ts'

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
export function lineContext(deps: Deps, request: FastifyRequest, productLine: ProductLine): Context {
  return { ...contextOf(deps, request), productLine }
}

export function lineScope(ctx: Context, productLine: ProductLine): LineScope {
  return { ...scopeOf(ctx), productLine }
}

/** Legacy records as the caller is to read them. */
export function readable(deps: Deps, request: FastifyRequest, records: string): string {
  return asSeenBy(request.caller!.actor.companyKind, withBaseUrl(records, deps.addresses.baseUrl))
}

/** The same, of records as they came from the database. */
export function readableBytes(deps: Deps, request: FastifyRequest, records: Buffer): RenderedBytes {
  return renderedBytes(records, deps.addresses.baseUrl, request.caller!.actor.companyKind)
}
