import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { version } from '../../platform/version.ts'
import type { Parts } from '../parts.ts'

/** The description of the company-key API; its paths and schemas come from the routes themselves. */
export function companyOpenApi(parts: Parts): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Sunstead company-key API',
        version,
        summary: 'Leads, projects and catalogue of a solar or home-improvement company.',
        description: [
          'Called from a server, never from a web page, with a company key as `Authorization: Bearer psk_…`.',
          'Every answer carries `X-Request-Id`. A key may make 100 calls in any 60 seconds.',
          'To stay in sync, keep the newest `updatedAt` you read and send it as `updatedSince`: no change is missed.',
        ].join('\n\n'),
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: [
        { name: 'Key', description: 'The key itself' },
        { name: 'Leads', description: 'Customers before and after they bought' },
        { name: 'Projects', description: 'What was sold, on its way up the ladder of stages' },
        { name: 'Catalogue', description: 'What the installer sells' },
      ],
      components: {
        securitySchemes: {
          companyKey: { type: 'http', scheme: 'bearer', description: 'psk_ and 40 hexadecimal digits' },
        },
      },
      security: [{ companyKey: [] }],
    },
    // Read when asked for: with PORT=0 the address is known only then.
    transformObject: (document) =>
      'openapiObject' in document
        ? {
            ...document.openapiObject,
            servers: [{ url: parts.addresses.baseUrl, description: 'This server' }],
          }
        : document.swaggerObject,
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, i) => (json.$id as string) ?? `schema${i}`,
    },
  }
}
