import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain/kernel/domain-error.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The methods that an address takes, in order; none where there is no such address. */
    methodsOf(path: string): string[]
  }
}

/** Remembers every route that is added from now on: who uses a wrong method is told the right ones. */
export function watchRoutes(app: FastifyInstance): void {
  const routes: { path: RegExp; methods: string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    // What takes all that is left over says nothing about an address.
    if (!/^\/?\*$/.test(url)) routes.push({ path: formOf(url), methods: [method].flat() })
  })
  app.decorate('methodsOf', (path: string) => {
    const found = routes.filter((route) => route.path.test(path)).flatMap(({ methods }) => methods)
    return [...new Set(found)].sort()
  })
}

/** `/leads/:id` as a regular expression; a star takes the rest. */
function formOf(url: string): RegExp {
  const parts = url.split(/(:\w+|\*)/).map((part) => {
    if (part === '*') return '.*'
    return part.startsWith(':') ? '[^/]+' : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('')}$`)
}

/** What answers an address that is not there, or not by this method. */
export function noSuchAddress(request: FastifyRequest, reply: FastifyReply, where: string): DomainError {
  const methods = request.server.methodsOf(request.url.split('?', 1)[0]!)
  if (methods.length === 0) return new DomainError('not_found', `There is no such address. ${where}`)
  reply.header('allow', methods.join(', '))
  return new DomainError(
    'not_found',
    `This address does not take ${request.method}. It takes ${listed(methods)}.`,
  )
}

function listed(methods: readonly string[]): string {
  return methods.length === 1 ? methods[0]! : `${methods.slice(0, -1).join(', ')} and ${methods.at(-1)}`
}
