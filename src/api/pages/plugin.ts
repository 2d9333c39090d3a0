import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createFileCache } from '../../platform/file-cache.ts'
import { version } from '../../platform/version.ts'
import type { Deps } from '../deps.ts'
import { errorCodes } from '../http/errors.ts'
import { escapeHtml, sendPage } from '../http/page.ts'

const swaggerFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const assets: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui-standalone-preset.js': 'text/javascript; charset=utf-8',
}

const reference = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Sunstead API reference</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/assets/swagger-ui.css"><style>body { margin: 0 } .topbar-wrapper .link svg { display: none } .topbar-wrapper .link::before { content: 'Sunstead'; font: 600 1.4rem system-ui }</style></head><body><div id="reference"></div><script src="/docs/assets/swagger-ui-bundle.js"></script><script src="/docs/assets/swagger-ui-standalone-preset.js"></script><script src="/docs/assets/reference.js"></script></body></html>`
const files = createFileCache(Object.keys(assets).length)
/** The interfaces that are served, each with its description; the reference lets one choose. */
const descriptions = [
  { name: 'Company-key API', url: '/v1/openapi.json' },
  { name: 'Legacy workflow API', url: '/legacy/openapi.json' },
  { name: 'Catalogue API', url: '/catalog/v1/openapi.json' },
]
const referenceScript = `SwaggerUIBundle({ urls: ${JSON.stringify(descriptions)}, dom_id: '#reference', layout: 'StandaloneLayout', presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset], deepLinking: true, validatorUrl: null, defaultModelsExpandDepth: 0 })\n`
const referencePolicy = `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'`

/** The pages that people open: what is served here, the API reference, the explanation of errors. */
export async function pages(app: FastifyInstance, deps: Deps): Promise<void> {
  app.get('/about', (_request, reply) => {
    const { baseUrl, legacyBaseUrl, catalogBaseUrl } = deps.addresses
    const row = (what: string, url: string, note: string) =>
      `<tr><td>${what}</td><td><code>${escapeHtml(url)}</code></td><td>${note}</td></tr>`
    return sendPage(
      reply,
      'Sunstead',
      `<h1>Sunstead is running</h1>
<p>The system that solar and home-improvement companies run their business on. Version ${escapeHtml(version)}.</p>
<h2>What is served</h2>
<table><tr><th>Interface</th><th>Address</th><th></th></tr>
${row('Company-key API', `${baseUrl}/v1`, '<a href="/docs">Reference</a>, <a href="/v1/openapi.json">OpenAPI</a>')}
${row('Legacy workflow API', legacyBaseUrl, '<a href="/docs?urls.primaryName=Legacy%20workflow%20API">Reference</a>, <a href="/legacy/openapi.json">OpenAPI</a>')}
${row('Catalogue API', `${catalogBaseUrl}/v1`, '<a href="/docs?urls.primaryName=Catalogue%20API">Reference</a>, <a href="/catalog/v1/openapi.json">OpenAPI</a>')}
${row('Console', `${baseUrl}/`, '<a href="/">For the company’s people</a>')}
</table>
<p>Programs sign in with a company key. <a href="/docs/errors">Every error code is explained.</a></p>
<h2>For the operator</h2>
<p><a href="/healthz">Liveness</a>, <a href="/readyz">readiness</a>, <a href="/metrics">metrics</a>. On the server, <code>npx sunstead --help</code> lists the commands.</p>`,
    )
  })

  app.get('/docs', (_request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', referencePolicy)
      .send(reference),
  )
  app.get('/docs/assets/reference.js', (_request, reply) =>
    reply.header('content-type', 'text/javascript; charset=utf-8').send(referenceScript),
  )
  for (const [name, type] of Object.entries(assets)) {
    app.get(`/docs/assets/${name}`, async (_request, reply) =>
      reply
        .header('content-type', type)
        .header('cache-control', 'public, max-age=3600')
        .send(await files.read(join(swaggerFolder, name))),
    )
  }

  app.get('/docs/errors', (_request, reply) => {
    const sections = Object.entries(errorCodes).map(
      ([code, { status, meaning, whatToDo }]) =>
        `<h2 id="${code}"><code>${code}</code> · ${status}</h2><p>${escapeHtml(meaning)}</p><p>${escapeHtml(whatToDo)}</p>`,
    )
    return sendPage(
      reply,
      'Error codes',
      `<h1>Error codes</h1><p>Every error answers its HTTP status with <code>{"error": {"code", "message", "docs"}}</code>, in the legacy API with <code>{"success": false, "message", "code"}</code>. The message says what to change.</p>${sections.join('')}`,
    )
  })
}
