import { escapeHtml } from '../../src/api/http/page.ts'
import { codeBlock } from '../code.ts'
import { exampleOf } from '../example.ts'
import { heading, inline, markdown } from '../markdown.ts'
import { type Interface, refName, resolved, type Schema } from '../openapi.ts'
import type { Group, Page } from '../page.ts'
import { callSection } from './call.ts'
import { fieldList, type LinkTo } from './fields.ts'

const descriptionOf = (api: Interface) => `/${api.document.servers[0]!.url.split('/').slice(3).join('/')}`

/** Where its OpenAPI description is served. */
const openApiOf = (api: Interface) =>
  api.slug === 'company'
    ? '/v1/openapi.json'
    : `${descriptionOf(api)}${api.slug === 'catalog' ? '/v1' : ''}/openapi.json`

const root = (api: Interface) => `/docs/reference/${api.slug}`

/** What is sent is explained where it is sent, what endpoints are told on the page of events. */
const isRecord = (name: string) => !/(Request|Form|Event)$/.test(name)

function linksOf(api: Interface): LinkTo {
  const { schemas } = api.document.components
  return (name) => {
    if (isRecord(name) && name in schemas) return `${root(api)}/records#${name}`
    return null
  }
}

function overview(api: Interface): Page {
  const { info } = api.document
  const lists = api.tags.map(
    ({ name, slug, description, calls }) =>
      `${heading(2, slug, escapeHtml(name))}<p>${inline(description)}.</p><ul class="calls">${calls
        .map(
          ({ operationId, method, path, summary }) =>
            `<li><a href="${root(api)}/${slug}#${operationId}"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path).replaceAll('/', '/<wbr>')}</code> <span>${escapeHtml(summary)}</span></a></li>`,
        )
        .join('')}</ul>`,
  )
  const others = [
    `<a href="${root(api)}/records">Records and their fields</a>`,
    ...(api.document.webhooks ? [`<a href="${root(api)}/events">Events that endpoints are told of</a>`] : []),
    `<a href="${openApiOf(api)}">OpenAPI 3.1</a>`,
    '<a href="/docs/postman.json">Postman collection</a>',
  ]
  return {
    path: root(api),
    title: api.name,
    description: info.summary,
    html: `<h1>${escapeHtml(api.name)}</h1><p class="lead">${inline(info.summary)}</p><p>Address: <code>${escapeHtml(api.baseUrl)}${api.slug === 'legacy' ? '' : '/v1'}</code></p>${markdown(info.description)}<p class="others">${others.join(' ')}</p>${lists.join('')}`,
  }
}

function tagPages(api: Interface): Page[] {
  return api.tags.map(({ name, slug, description, calls }) => ({
    path: `${root(api)}/${slug}`,
    title: name,
    over: api.name,
    description: `${api.name}: ${calls.map(({ summary }) => summary.toLowerCase()).join(', ')}.`,
    html: `<p class="over"><a href="${root(api)}">${escapeHtml(api.name)}</a></p><h1>${escapeHtml(name)}</h1><p class="lead">${inline(description)}.</p>${calls.map((call) => callSection(api, call, linksOf(api))).join('')}`,
  }))
}

function records(api: Interface): Page {
  const sections = Object.entries(api.document.components.schemas)
    .filter(([name]) => isRecord(name))
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, schema]) => {
      const about = schema.description ? `<p>${inline(schema.description)}</p>` : ''
      return `<section>${heading(2, name, name)}${about}${fieldList(api, schema, linksOf(api), false) || choices(api, schema)}</section>`
    })
  return {
    path: `${root(api)}/records`,
    title: 'Records',
    over: api.name,
    description: `${api.name}: every record with its fields.`,
    html: `<p class="over"><a href="${root(api)}">${escapeHtml(api.name)}</a></p><h1>Records</h1><p class="lead">What answers hold. Every field is always there unless it says otherwise; what is not known is ${api.slug === 'legacy' ? 'empty text' : 'null'}. Fields may join: ignore those that you do not know.</p>${sections.join('')}`,
  }
}

function choices(api: Interface, { oneOf = [], anyOf = [] }: Schema): string {
  const linkTo = linksOf(api)
  const names = [...oneOf, ...anyOf].map(({ $ref = '' }) => refName($ref))
  return `<ul>${names.map((name) => `<li>${linkTo(name) ? `<a href="${linkTo(name)}">${name}</a>` : name}</li>`).join('')}</ul>`
}

/** What an event is told with, by the record that it is of. */
function payloadOf(api: Interface, schema: Schema, linkTo: LinkTo): string {
  const { data } = resolved(api, schema).properties ?? {}
  const names = [data ?? {}, ...(data?.allOf ?? []), ...(data?.anyOf ?? [])]
    .flatMap(({ $ref }) => ($ref ? [refName($ref)] : []))
    .filter((name) => name !== 'Snapshot')
  return names.map((name) => `<a href="${linkTo(name)}">${name}</a>`).join(' or ')
}

function events(api: Interface): Page[] {
  const told = Object.entries(api.document.webhooks ?? {})
  if (told.length === 0) return []
  const linkTo = linksOf(api)
  const sections = told.map(([name, { post }]) => {
    const media = post.requestBody!.content['application/json']!
    const payload = payloadOf(api, media.schema, linkTo)
    return `<section>${heading(2, name, `<code>${name}</code>`)}<p>${inline(post.summary)}.${payload ? ` <code>data</code> is ${payload} with <a href="${linkTo('Snapshot')}">Snapshot</a>.` : ''}</p></section>`
  })
  const [, { post: first }] = told[0]!
  const example = exampleOf(api, first.requestBody!.content['application/json']!)
  return [
    {
      path: `${root(api)}/events`,
      title: 'Events',
      over: api.name,
      description: `${told.length} kinds of events that webhook endpoints are told of.`,
      html: `<p class="over"><a href="${root(api)}">${escapeHtml(api.name)}</a></p><h1>Events</h1><p class="lead">What webhook endpoints are told, and <code>GET /v1/events</code> lists under the same ids. <a href="/docs/guides/webhooks">The guide</a> says how to verify and answer them.</p>${markdown(first.description ?? '')}${codeBlock(JSON.stringify(example, null, 2), 'json', `The body of ${told[0]![0]}`)}${sections.join('')}`,
    },
  ]
}

/** The reference of an interface, a page for each group of calls. */
export function referenceGroup(api: Interface): Group {
  return {
    title: api.name,
    folded: true,
    pages: [overview(api), ...tagPages(api), ...events(api), records(api)],
  }
}
