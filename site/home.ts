import { escapeHtml } from '../src/api/http/page.ts'
import type { Group, Page } from './page.ts'

const card = ({ path, title, description }: Page) =>
  `<li><a href="${path}"><strong>${escapeHtml(title)}</strong><span>${escapeHtml(description)}</span></a></li>`

/** The first page: what there is, and where to begin. */
export function homePage(groups: Group[], reference: Group[]): Page {
  const lists = groups.map(
    ({ title, pages }) => `<h2>${escapeHtml(title)}</h2><ul class="cards">${pages.map(card).join('')}</ul>`,
  )
  return {
    path: '/docs',
    title: 'Documentation',
    description: 'Guides and reference of the interfaces that Sunstead serves.',
    html: `<h1>Documentation</h1><p class="lead">Three interfaces over the same records, each with the same company keys: what one writes the others read at once. New here? Begin with the <a href="/docs/quickstart">quickstart</a>.</p>${lists.join('')}<h2>Reference</h2><ul class="cards">${reference.map(({ pages }) => card(pages[0]!)).join('')}</ul>
<h2>For programs</h2><ul class="cards"><li><a href="/docs/postman.json"><strong>Postman collection</strong><span>Every call of all interfaces, with this server’s addresses.</span></a></li><li><a href="/llms.txt"><strong>llms.txt</strong><span>These pages as plain text, for language models.</span></a></li><li><a href="/v1/openapi.json"><strong>OpenAPI 3.1</strong><span>The company-key API; <code>/catalog/v1/openapi.json</code> and <code>/legacy/openapi.json</code> are the others.</span></a></li></ul>`,
  }
}
