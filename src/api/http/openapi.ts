import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { version as packageVersion } from '../../platform/version.ts'
import { finished } from './openapi-document.ts'

export interface Described {
  title: string
  /** Of the interface, where it has one of its own. */
  version?: string
  summary: string
  description: string[]
  tags: { name: string; description: string }[]
  /** Where the interface is, asked for when it is described: with PORT=0 it is known only then. */
  server: () => string
  /** Where people read about it. */
  reference: () => string
  /** What the paths begin with here and not at that address. */
  prefix: string
}

/** The description of an interface; its paths and schemas come from the routes themselves. */
export function openApi({
  title,
  version = packageVersion,
  summary,
  description,
  tags,
  server,
  reference,
  prefix,
}: Described): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title,
        version,
        summary,
        description: description.join('\n\n'),
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags,
      components: {
        securitySchemes: {
          companyKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'A company key: psk_ and 40 hexadecimal digits',
          },
        },
      },
      security: [{ companyKey: [] }],
    },
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject
      const { paths, info, ...rest } = document.openapiObject
      const own = Object.entries(paths ?? {}).map(([path, item]) => [path.slice(prefix.length), item])
      return {
        ...rest,
        ...finished(Object.fromEntries(own), rest.components),
        info: { ...info!, contact: { name: 'Sunstead', url: reference() } },
        servers: [{ url: server(), description: 'This server' }],
      } as typeof document.openapiObject
    },
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, i) => (json.$id as string) ?? `schema${i}`,
    },
  }
}
