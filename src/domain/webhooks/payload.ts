import { type FileEntry, filePath } from '../files/file.ts'
import { withBaseUrl } from '../renderings/rendering.ts'

/** An event with what is needed to tell of it. */
export interface LoggedEvent {
  at: Date
  ordinal: number
  type: string
  companyId: string
  projectId: string | null
  /** What a record other than a lead, a project or a file was, as JSON with its version. */
  data: string | null
  /** What a lead or a project reads now. */
  rendering: string | null
  /** Where a dealer reads something else. */
  dealerRendering: string | null
  updatedAt: Date | null
  file: FileEntry | null
  /** Whether the record's customer was erased. */
  erased: boolean | null
}

/** Whether dealers are told at all: they do not see internal files. */
export function isForDealers({ file }: LoggedEvent): boolean {
  return file?.folder !== 'internal'
}

/** Whether a dealer's endpoint is sent other bytes than the installer's. */
export function differsForDealers({ dealerRendering }: LoggedEvent): boolean {
  return dealerRendering !== null
}

export interface Told {
  installerNumber: number
  baseUrl: string
}

/** The body that tells of an event; null where its record is no more. */
export function messageBody(event: LoggedEvent, forDealer: boolean, told: Told): string | null {
  const data = dataOf(event, forDealer, told)
  return data && `{"type":"${event.type}","timestamp":"${event.at.toISOString()}","data":${data}}`
}

function dataOf(event: LoggedEvent, forDealer: boolean, { baseUrl, installerNumber }: Told): string | null {
  if (event.data !== null) return event.data
  const { file } = event
  if (file) {
    return JSON.stringify({
      id: file.id,
      name: file.name,
      folder: file.folder,
      url: baseUrl + filePath(installerNumber, file),
      project_id: event.projectId,
      version: event.at.getTime(),
    })
  }
  const rendering = forDealer ? (event.dealerRendering ?? event.rendering) : event.rendering
  if (rendering === null || event.updatedAt === null) return null
  return `${withBaseUrl(rendering, baseUrl).slice(0, -1)},"version":${event.updatedAt.getTime()}${event.erased ? ',"erased":true' : ''}}`
}
