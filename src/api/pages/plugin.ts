import type { FastifyInstance } from 'fastify'
import { version } from '../../platform/version.ts'
import type { Deps } from '../deps.ts'
import { escapeHtml, sendPage } from '../http/page.ts'
import { docs } from './docs.ts'

/** The pages that people open: what is served here, and the documentation. */
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
${row('Company-key API', `${baseUrl}/v1`, '<a href="/docs/reference/company">Reference</a>, <a href="/v1/openapi.json">OpenAPI</a>')}
${row('Legacy workflow API', legacyBaseUrl, '<a href="/docs/reference/legacy">Reference</a>, <a href="/legacy/openapi.json">OpenAPI</a>')}
${row('Catalogue API', `${catalogBaseUrl}/v1`, '<a href="/docs/reference/catalog">Reference</a>, <a href="/catalog/v1/openapi.json">OpenAPI</a>')}
${row('Console', `${baseUrl}/`, '<a href="/">For the company’s people</a>')}
</table>
<p>Programs sign in with a company key. <a href="/docs">The documentation</a> begins with a quickstart; <a href="/docs/errors">every error code is explained</a>.</p>
<h2>For the operator</h2>
<p><a href="/healthz">Liveness</a>, <a href="/readyz">readiness</a>, <a href="/metrics">metrics</a>. On the server, <code>npx sunstead --help</code> lists the commands.</p>`,
    )
  })

  docs(app, deps)
}
