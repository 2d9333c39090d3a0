import type { Workload } from './load.ts'

/** A line of the table: what is measured, and beside what. */
export interface Row {
  name: string
  ours: Workload
  floor: Workload
  /** Where both are our own server, as for pages far down a list. */
  floorIsOurs: boolean
  /** Says what the floor is. */
  against: string
  atLeast: number
}

export interface Ports {
  ours: number
  floor: number
}

export const get = (path: string, key?: string) =>
  `GET ${path} HTTP/1.1\r\nhost: bench\r\n${key ? `authorization: Bearer ${key}\r\n` : ''}\r\n`

export const post = (path: string, body: string, key?: string, headers: Record<string, string> = {}) =>
  `POST ${path} HTTP/1.1\r\nhost: bench\r\n${key ? `authorization: Bearer ${key}\r\n` : ''}` +
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('') +
  `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`

export const patch = (path: string, body: string, key: string) =>
  post(path, body, key).replace('POST', 'PATCH')
