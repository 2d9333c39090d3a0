import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Where a Chromium is that tests, benches and pictures may use; null where there is none for this machine. */
export async function findChromium(): Promise<{ path: string; env: Record<string, string> } | null> {
  const given = process.env.CHROMIUM
  if (given) return { path: given, env: {} }
  // The one that comes with the dependencies is made for this kind of machine only.
  if (process.platform === 'linux' && process.arch === 'x64') return unpacked()
  const path = installed()
  return path ? { path, env: {} } : null
}

async function unpacked() {
  const { default: chromium, inflate } = await import('@sparticuz/chromium')
  const path = await chromium.executablePath()
  const env = { ...process.env } as Record<string, string>
  const missing = execFileSync('ldd', [path], { encoding: 'utf8' }).includes('not found')
  if (missing) {
    // The libraries that it needs come with it too.
    const packed = join(import.meta.dirname, '../node_modules/@sparticuz/chromium/bin/al2023.tar.br')
    env['LD_LIBRARY_PATH'] = join(await inflate(packed), 'lib')
  }
  return { path, env }
}

function installed(): string | null {
  const folders = (process.env.PATH ?? '').split(':')
  // The first shows nothing on a screen and does the same with a third less work.
  const names = [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
  ]
  const places = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
  return [...places, mac].find((path) => existsSync(path)) ?? null
}
