import { escapeHtml } from '../../src/api/http/page.ts'
import { codeBlock } from '../code.ts'
import { curlOf, exampleOf, schemaName } from '../example.ts'
import { heading, inline, markdown } from '../markdown.ts'
import type { Call, Interface, Parameter } from '../openapi.ts'
import { fieldList, fieldRow, type LinkTo } from './fields.ts'

const kinds = { path: 'In the address', query: 'In the query', header: 'Headers' } as const

function parameterList(parameters: Parameter[], linkTo: LinkTo): string {
  return Object.entries(kinds)
    .map(([kind, title]) => {
      const own = parameters.filter((one) => one.in === kind)
      if (own.length === 0) return ''
      const rows = own.map(({ name, required = false, description, schema }) =>
        fieldRow(
          headerName(kind, name),
          { schema: { ...schema, ...(description ? { description } : {}) }, required },
          linkTo,
        ),
      )
      return `<h3>${title}</h3><dl class="fields">${rows.join('')}</dl>`
    })
    .join('')
}

/** As headers are usually written. */
const headerName = (kind: string, name: string) =>
  kind === 'header' ? name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()) : name

function bodies(api: Interface, { requestBody }: Call, linkTo: LinkTo): string {
  const content = Object.entries(requestBody?.content ?? {})
  return content
    .map(([type, media]) => {
      const about = media.schema.description ? `<p>${inline(media.schema.description)}</p>` : ''
      const optional = requestBody?.required ? '' : ' <span class="type">may be left out</span>'
      return `<h3>Body <code>${escapeHtml(type)}</code>${optional}</h3>${about}${fieldList(api, media.schema, linkTo, true)}`
    })
    .join('')
}

function answers(api: Interface, { responses }: Call, linkTo: LinkTo): string {
  const all = Object.entries(responses)
  const good = all.filter(([status]) => Number(status) < 400)
  const bad = all.filter(([status]) => Number(status) >= 400)
  const told = good.map(([status, { description, content }]) => {
    const [type, media] = Object.entries(content ?? {})[0] ?? []
    const name = media && schemaName(media)
    const href = name ? linkTo(name) : null
    const what = name
      ? ` · ${href ? `<a href="${href}">${name}</a>` : name}`
      : type
        ? ` · ${escapeHtml(type)}`
        : ''
    const example =
      media && type === 'application/json'
        ? codeBlock(JSON.stringify(exampleOf(api, media), null, 2), 'json')
        : ''
    const fields = media && type === 'application/json' ? fieldList(api, media.schema, linkTo, false) : ''
    const details = fields ? `<details><summary>Fields of the answer</summary>${fields}</details>` : ''
    return `<div class="answer"><p><span class="status good">${status}</span> ${inline(description)}${what}</p>${example}${details}</div>`
  })
  const refused = bad.map(([status, { description }]) => {
    const code = /^`(\w+)`/.exec(description)?.[1]
    const text = inline(description)
    return `<li><span class="status bad">${status}</span> ${code ? `<a href="/docs/errors#${code}">${text}</a>` : text}</li>`
  })
  return `<h3>Answers</h3>${told.join('')}<ul class="refused">${refused.join('')}</ul>`
}

/** One operation, with all that one needs to call it. */
export function callSection(api: Interface, call: Call, linkTo: LinkTo): string {
  const { operationId, summary, description = '', method, path, parameters = [] } = call
  const base = new URL(api.baseUrl).pathname.replace(/\/$/, '')
  return `<section class="call">${heading(2, operationId, escapeHtml(summary))}
<p class="address"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(base + path).replaceAll('/', '/<wbr>')}</code></p>
${markdown(description)}${parameterList(parameters, linkTo)}${bodies(api, call, linkTo)}
<h3>Example</h3>${codeBlock(curlOf(api, call), 'sh')}${answers(api, call, linkTo)}</section>\n`
}
