import { Marked } from 'marked'
import { codeBlock } from './code.ts'
import { textOf } from './html.ts'
import { slugOf } from './openapi.ts'

/** A heading with the address of its own that others can link to. */
export function heading(depth: number, id: string, html: string): string {
  return `<h${depth} id="${id}">${html} <a class="anchor" href="#${id}" aria-label="Link to this section: ${textOf(html).replaceAll('"', '')}">#</a></h${depth}>\n`
}

/** What stands behind a fence's language: `file=receive.ts` names the file that the block is. */
export function fileOf(info: string): string | undefined {
  return /\bfile=(\S+)/.exec(info)?.[1]
}

/** Where a link of the source leads on the site; null where it leads nowhere. */
type LinkTo = (href: string) => string | null

function parser(linkTo: LinkTo): Marked {
  return new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens)
        return depth === 1 ? `<h1>${html}</h1>\n` : heading(depth, slugOf(textOf(html)), html)
      },
      code({ text, lang = '' }) {
        return codeBlock(text, lang.split(' ')[0]!, fileOf(lang))
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const to = linkTo(href)
        return to === null ? text : `<a href="${to}">${text}</a>`
      },
      table(token) {
        const row = (cells: typeof token.header, tag: string) =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`
        // A table of two columns that explain themselves has no titles.
        const isTitled = token.header.some(({ text }) => text !== '')
        const head = isTitled ? `<thead>${row(token.header, 'th')}</thead>` : ''
        const body = token.rows.map((cells) => row(cells, 'td')).join('')
        return `<div class="table" tabindex="0" role="region" aria-label="Table"><table>${head}<tbody>${body}</tbody></table></div>\n`
      },
    },
  })
}

/** A page's text. */
export function markdown(text: string, linkTo: LinkTo = (href) => href): string {
  return parser(linkTo).parse(text, { async: false })
}

const inlineParser = parser((href) => href)

/** A sentence or two of a description. */
export function inline(text: string): string {
  return inlineParser.parseInline(text, { async: false })
}
