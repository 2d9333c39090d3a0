import { after } from 'node:test'
import { type App, startApp } from './app.ts'
import { startHttpsServer } from './https-server.ts'
import { elf, pdf, png } from './sample-files.ts'

export interface AppWithFiles {
  app: App
  /** The paths that were asked of the outside world, in order. */
  asked: string[]
  /** The address of a file: its ending says what it holds; one called `missing` is not there. */
  at(path: string): string
}

/** The server, and one host of the outside world whose files it may copy. */
export async function startAppWithFiles(): Promise<AppWithFiles> {
  const asked: string[] = []
  const contents: Record<string, Buffer> = { png, pdf, bin: elf }
  const outside = await startHttpsServer((request, response) => {
    asked.push(request.url!)
    const found = contents[/\.(\w+)(\?|$)/.exec(request.url!)?.[1] ?? '']
    if (!found || request.url!.includes('missing')) response.writeHead(404).end()
    else response.end(found)
  })
  const app = await startApp({
    env: { OUTBOUND_TRUSTED_HOSTS: `localhost:${outside.port}` },
    outside: { ca: outside.ca },
  })
  after(() => outside.close())
  return { app, asked, at: (path) => outside.url + path }
}
