import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

const houseStyle = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #dfe4ea; --page: #fff; --mark: #b45309; --code: #f4f6f8 }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ecf1; --soft: #9aa7b5; --line: #2b3440; --page: #12171d; --mark: #fbbf24; --code: #1b222b } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.6 system-ui, sans-serif }
main { max-width: 52rem; margin: 0 auto; padding: 3rem 1.25rem }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 .5rem }
h2 { font-size: 1.1rem; margin: 2.25rem 0 .5rem }
p { margin: .5rem 0 } .soft { color: var(--soft) }
a { color: var(--mark) } code { background: var(--code); padding: .1em .35em; border-radius: 4px; font-size: .92em; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100%; margin: .75rem 0 }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line) }
th { font-weight: 600 } :target { background: var(--code) }
`

export type SendPage = (reply: FastifyReply, title: string, body: string) => FastifyReply

/** Plain pages of one kind: no script, nothing from elsewhere. A kind may add to the style and show our pictures. */
export function pagesWith({
  style = '',
  pictures = false,
}: {
  style?: string
  pictures?: boolean
}): SendPage {
  const css = houseStyle + style
  const policy = [
    `default-src 'none'`,
    `style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'`,
    ...(pictures ? [`img-src 'self'`] : []),
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ')
  return (reply, title, body) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .send(
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${css}</style></head><body><main>${body}</main></body></html>`,
      )
}

export const sendPage: SendPage = pagesWith({})

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}
