import type { Interface } from './openapi.ts'
import type { Group, Page } from './page.ts'

const origin = 'http://127.0.0.1:8080'

const line = ({ path, title, description, markdown }: Page) =>
  `- [${title}](${origin}${path}${markdown ? '.md' : ''}): ${description}`

/** What a language model is told first: what this is, and where to read on. */
export function llmsText(guides: Group[], reference: Group[], errors: Page): string {
  const lists = guides.map(({ title, pages }) => `## ${title}\n\n${pages.map(line).join('\n')}`)
  const descriptions = [
    `- [Company-key API](${origin}/v1/openapi.json): OpenAPI 3.1`,
    `- [Catalogue API](${origin}/catalog/v1/openapi.json): OpenAPI 3.1`,
    `- [Legacy workflow API](${origin}/legacy/openapi.json): OpenAPI 3.1`,
    `- [Postman collection](${origin}/docs/postman.json): every call of all three`,
  ]
  return `# Sunstead

> The system that solar and home-improvement companies run their business on: leads, projects moving along a ladder of stages, files, catalogue, energy, billing and webhooks, over HTTP. Programs call it from a server with a company key as \`Authorization: Bearer psk_…\`.

Three interfaces serve the same records: the company-key API at ${origin}/v1 (new programs use this one), the catalogue API at ${origin}/catalog/v1, and the legacy workflow API at ${origin}/legacy. The guides in one file: ${origin}/docs/llms-full.txt

${lists.join('\n\n')}

## Reference

${[errors, ...reference.flatMap(({ pages }) => pages)].map(line).join('\n')}

## Descriptions for programs

${descriptions.join('\n')}
`
}

/** All that somebody wrote, in the order of reading, and the calls of every interface one by one. */
export function llmsFullText(guides: Group[], interfaces: Interface[]): string {
  const texts = guides.flatMap(({ pages }) => pages.map(({ markdown = '' }) => markdown.trim()))
  const calls = interfaces.map(({ name, baseUrl, tags, document }) => {
    const lines = tags.flatMap(({ calls: own }) =>
      own.map(({ method, path, summary, description = '' }) =>
        `- ${method} ${path}: ${summary}. ${description}`.trim(),
      ),
    )
    return `# ${name} (${baseUrl})\n\n${document.info.description}\n\n${lines.join('\n')}`
  })
  return `${[...texts, ...calls].join('\n\n---\n\n')}\n`
}
