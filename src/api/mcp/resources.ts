import { DomainError } from '../../domain/kernel/domain-error.ts'
import { may } from '../../domain/kernel/policy.ts'
import type { Caller } from '../http/authenticate.ts'
import { answerText } from './answer-text.ts'
import type { ToolCall } from './tool.ts'
import { type Part, readPart } from './tools/get-catalogue.ts'
import { getLead } from './tools/get-lead.ts'
import { getProject } from './tools/get-project.ts'
import { listInvoices } from './tools/list-invoices.ts'

const mimeType = 'application/json'

interface Resource {
  uri: string
  name: string
  title: string
  description: string
  isFor(caller: Caller): boolean
  read(call: ToolCall): Promise<object>
}

interface Template {
  /** Of its addresses: what stands before the id. */
  prefix: string
  name: string
  title: string
  description: string
  isFor(caller: Caller): boolean
  read(call: ToolCall, id: string): Promise<object>
}

const ofDeals = ({ interfaces }: Caller) => interfaces.includes('company')
const ofCatalogue = (caller: Caller) => ofDeals(caller) && may(caller.actor, 'catalogue.read')

const resources: readonly Resource[] = [
  {
    uri: 'sunstead://ladder',
    name: 'ladder',
    title: 'The ladders',
    description: 'The stages that projects climb, of both product lines, in order',
    isFor: ofDeals,
    read: (call) => readFirst(call, 'stages'),
  },
  {
    uri: 'sunstead://catalogue/adders',
    name: 'adders',
    title: 'Adders and products',
    description: 'What the installer adds to systems and sells besides, with prices',
    isFor: ofCatalogue,
    read: (call) => readFirst(call, 'adders'),
  },
  {
    uri: 'sunstead://catalogue/equipment',
    name: 'equipment',
    title: 'Equipment',
    description: 'Panels, inverters and batteries that the installer builds in',
    isFor: ofCatalogue,
    read: (call) => readFirst(call, 'equipment'),
  },
]

const templates: readonly Template[] = [
  {
    prefix: 'sunstead://leads/',
    name: 'lead',
    title: 'A lead',
    description: 'A lead with its newest activity, by id or reference',
    isFor: ofDeals,
    read: readLead,
  },
  {
    prefix: 'sunstead://projects/',
    name: 'project',
    title: 'A project',
    description: 'A project with its ladder, checklist, files and what blocks it, by id or reference',
    isFor: ofDeals,
    read: (call, id) => getProject.read(call, { id } as never),
  },
  {
    prefix: 'sunstead://invoices/',
    name: 'invoice',
    title: 'An invoice',
    description: 'An invoice with its lines, by id',
    isFor: ({ interfaces }) => interfaces.includes('catalog'),
    read: (call, id) => listInvoices.read(call, { id } as never),
  },
]

/** What is read by address cannot be read on by it: that is what the tool is for, and the answer says so. */
async function readLead(call: ToolCall, id: string): Promise<object> {
  const found = (await getLead.read(call, { id } as never)) as { next: string | null }
  if (found.next === null) return found
  return { ...found, more: 'Older activity: call get_lead with this id, and `next` as its `cursor`.' }
}

async function readFirst(call: ToolCall, part: Part): Promise<object> {
  const found = await readPart(call, part)
  if (found.next_page === null) return found
  return { ...found, more: `The rest: call get_catalogue with part "${part}" and page ${found.next_page}.` }
}

export function describeResources(caller: Caller): object[] {
  return resources
    .filter(({ isFor }) => isFor(caller))
    .map(({ uri, name, title, description }) => ({ uri, name, title, description, mimeType }))
}

export function describeTemplates(caller: Caller): object[] {
  return templates
    .filter(({ isFor }) => isFor(caller))
    .map(({ prefix, name, title, description }) => ({
      uriTemplate: `${prefix}{id}`,
      name,
      title,
      description,
      mimeType,
    }))
}

const longestId = 64

/** What is at an address; what is not for the caller is not there. */
export async function readResource(call: ToolCall, uri: string): Promise<object> {
  const { caller } = call
  const resource = resources.find((one) => one.uri === uri && one.isFor(caller))
  const template = templates.find(({ prefix, isFor }) => uri.startsWith(prefix) && isFor(caller))
  const id = template ? uri.slice(template.prefix.length) : ''
  const found = resource
    ? await resource.read(call)
    : template && id.length > 0 && id.length <= longestId
      ? await template.read(call, id)
      : null
  if (found === null) throw new DomainError('not_found', 'There is no such resource for this key.')
  return { contents: [{ uri, mimeType, text: answerText(found) }] }
}
