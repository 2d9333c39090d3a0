import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderStore } from '../../src/platform/file-store/folder-store.ts'
import { type CopierOptions, createCopier } from '../../src/platform/outbound/copy-from-address.ts'
import { createOutbound } from '../../src/platform/outbound/http.ts'
import { startHttpsServer } from './https-server.ts'

export type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

/** A copier with a store of its own and one host in the outside world, which answers as told. */
export async function startCopying() {
  const folder = await mkdtemp(join(tmpdir(), 'copying-'))
  let answer: Answer = (_request, response) => response.writeHead(404).end()
  const server = await startHttpsServer((request, response) => answer(request, response))
  const store = folderStore(folder)
  const outbound = createOutbound({
    trustedHosts: new Set([`files.example.com:${server.port}`]),
    ca: server.ca,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  })
  const address = (path = '/plan.pdf') => `https://files.example.com:${server.port}${path}`
  const copier = (options: Partial<CopierOptions> = {}) => createCopier({ outbound, store, ...options })

  return {
    server,
    store,
    address,
    copier,
    copy: (options: Partial<CopierOptions> = {}, url = address(), name = 'plan.pdf') =>
      copier(options).copy({ url, name }),
    answerWith(next: Answer) {
      answer = next
    },
    /** Every file in the store's folder, finished or not. */
    async filesLeft(): Promise<string[]> {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
    },
    async close() {
      await outbound.close()
      await server.close()
      await rm(folder, { recursive: true })
    },
  }
}
