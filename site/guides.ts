import { readFileSync } from 'node:fs'
import { textOf } from './html.ts'
import { inline, markdown } from './markdown.ts'
import type { Group, Page } from './page.ts'

/** In the order of reading; a test finds a guide that is not here. */
const guides: { title: string; files: string[] }[] = [
  { title: 'Start', files: ['guides/quickstart.md'] },
  {
    title: 'Guides',
    files: [
      'guides/sync.md',
      'guides/pagination.md',
      'guides/webhooks.md',
      'guides/errors-and-retries.md',
      'guides/rate-limits.md',
      'guides/idempotency.md',
      'guides/files.md',
      'guides/agents.md',
      'guides/sdk.md',
      'guides/versioning.md',
    ],
  },
  { title: 'Moving in', files: ['moving-in.md', 'guides/moving-from-the-legacy-api.md', 'legacy-to-v1.md'] },
]

/** Where the page of a file of docs/ is. */
const addressOf = (name: string) =>
  name === 'quickstart.md' ? '/docs/quickstart' : `/docs/guides/${name.replace(/\.md$/, '')}`

const known = guides.flatMap(({ files }) => files.map((file) => file.split('/').at(-1)!))

/** A link between files as a link between pages; null where the file is no page. */
function linkTo(href: string): string | null {
  const [, name, hash = ''] = /^(?:[\w.]+\/)*([\w-]+\.md)(#.*)?$/.exec(href) ?? []
  if (!name) return href
  return known.includes(name) ? addressOf(name) + hash : null
}

const origin = 'http://127.0.0.1:8080'

/** The source as it is served by itself, where no link between files leads anywhere: each is a whole address. */
function withWholeLinks(source: string): string {
  return source
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, i) => (i % 2 === 1 ? part : part.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, wholeLink)))
    .join('')
}

function wholeLink(whole: string, text: string, href: string): string {
  if (/^https?:/.test(href)) return whole
  const to = linkTo(href)
  if (to === null) return text
  const [path, hash] = to.split('#')
  const isGuide = to !== href
  return `[${text}](${origin}${path}${isGuide ? '.md' : ''}${hash === undefined ? '' : `#${hash}`})`
}

/** A heading, then what the page is about in one paragraph: that is also its description. */
function pageOf(file: string): Page {
  const source = readFileSync(new URL(`../docs/${file}`, import.meta.url), 'utf8')
  const [first = '', about = ''] = source.trim().split(/\n{2,}/)
  return {
    path: addressOf(file.split('/').at(-1)!),
    title: first.replace(/^# /, ''),
    description: textOf(inline(about.replaceAll('\n', ' '))),
    html: markdown(source, linkTo),
    markdown: withWholeLinks(source),
  }
}

export function guideGroups(): Group[] {
  return guides.map(({ title, files }) => ({ title, pages: files.map(pageOf) }))
}
