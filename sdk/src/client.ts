import type { CallOptions } from './call.ts'
import type { Download } from './download.ts'
import { type CatalogApi, catalogOperations } from './generated/catalog.ts'
import {
  type CompanyApi,
  companyOperations,
  type Event,
  type Lead,
  type Project,
} from './generated/company.ts'
import { type LegacyApi, legacyOperations } from './generated/legacy.ts'
import { createMethods } from './methods.ts'
import type { Operation } from './operation.ts'
import {
  type Change,
  type FeedRestarted,
  type Sync,
  type SyncOptions,
  syncEvents,
  syncRecords,
} from './sync.ts'
import { createTransport, type Retry } from './transport.ts'

export interface ClientOptions {
  /** A company key: `psk_…`. It stays on a server. */
  key: string
  /** Where the server is, such as `https://sunstead.example.com`. */
  baseUrl: string
  /** `{baseUrl}/legacy` when absent. */
  legacyBaseUrl?: string | undefined
  /** `{baseUrl}/catalog` when absent. */
  catalogBaseUrl?: string | undefined
  /** How often a call is tried again; 5 when absent. */
  maxRetries?: number | undefined
  /** Of one attempt, to the end of its answer; 60 seconds when absent. */
  timeoutMs?: number | undefined
  /** Of one attempt that sends files or readings; 15 minutes when absent. */
  uploadTimeoutMs?: number | undefined
  /** A longer wait that the server asks for is left to the caller; 90 seconds when absent. */
  maxRetryWaitMs?: number | undefined
  /** Told of each attempt that follows, to log it. */
  onRetry?: ((retry: Retry) => void) | undefined
  /** The runtime's own when absent. */
  fetch?: typeof globalThis.fetch | undefined
}

export interface EventsOptions extends SyncOptions {
  /** Only these, separated by commas: `lead.created,project.*`. */
  types?: string | undefined
  /** Where a new reader begins; `oldest` when absent. */
  from?: 'oldest' | 'now' | undefined
}

export interface RecordsOptions extends SyncOptions {
  /** Both when absent. */
  productLine?: 'solar' | 'hi' | undefined
}

export interface Client extends Omit<CompanyApi, 'events'> {
  catalog: CatalogApi
  legacy: LegacyApi
  /** Goes through the feed and survives a crash; `events.list` reads a page of it. */
  events: CompanyApi['events'] & ((options: EventsOptions) => Sync<Event | FeedRestarted>)
  /** Keeps a copy of all leads. */
  syncLeads(options: RecordsOptions): Sync<Change<Lead>>
  /** Keeps a copy of all projects, each whole. */
  syncProjects(options: RecordsOptions): Sync<Change<Project>>
  /** A file by its address, as `project.files` or `projects.listFiles` name it. The key is not sent there. */
  download(
    address: string,
    options?: Pick<CallOptions, 'signal' | 'timeoutMs' | 'maxRetries'>,
  ): Promise<Download>
}

const fileRead: Operation = {
  id: 'download',
  name: 'download',
  method: 'GET',
  path: '',
  takes: null,
  answers: 'file',
  pages: null,
  repeat: 'always',
}

export function createClient(options: ClientOptions): Client {
  const config = {
    key: options.key,
    fetch: options.fetch ?? ((...args: Parameters<typeof globalThis.fetch>) => globalThis.fetch(...args)),
    maxRetries: options.maxRetries ?? 5,
    timeoutMs: options.timeoutMs ?? 60_000,
    uploadTimeoutMs: options.uploadTimeoutMs ?? 900_000,
    maxRetryWaitMs: options.maxRetryWaitMs ?? 90_000,
    onRetry: options.onRetry,
  }
  if (!/^[\x21-\x7e]+$/.test(options.key)) throw new TypeError('key must be a company key: psk_…')
  const base = trimmed('baseUrl', options.baseUrl)
  const transport = createTransport(config)
  const methods = (operations: readonly Operation[], url: string) => createMethods(operations, url, transport)
  const company = methods(companyOperations, base) as CompanyApi
  const keyless = createTransport({ ...config, key: null })
  return {
    ...company,
    catalog: methods(
      catalogOperations,
      trimmed('catalogBaseUrl', options.catalogBaseUrl ?? `${base}/catalog`),
    ) as CatalogApi,
    legacy: methods(
      legacyOperations,
      trimmed('legacyBaseUrl', options.legacyBaseUrl ?? `${base}/legacy`),
    ) as LegacyApi,
    events: Object.assign((asked: EventsOptions) => syncEvents(company, asked), company.events),
    syncLeads: (asked) => syncRecords(company, 'leads', asked) as Sync<Change<Lead>>,
    syncProjects: (asked) => syncRecords(company, 'projects', asked) as Sync<Change<Project>>,
    download: async (address, asked = {}) => {
      const { data } = await keyless<Download>({
        operation: fileRead,
        url: new URL(address).href,
        body: null,
        options: asked,
      })
      return data
    },
  }
}

function trimmed(name: string, text: string): string {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : null
  if (!url || url.username || url.password || url.search || url.hash)
    throw new TypeError(
      `${name} must be an address that begins with https:// or http://, such as https://sunstead.example.com, without a name, password, query or fragment`,
    )
  return text.replace(/\/+$/, '')
}
