import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
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

const packed = join(import.meta.dirname, '../node_modules/@sparticuz/chromium')
/** Kept from run to run: unpacking takes seconds. */
const cache = join(import.meta.dirname, '../node_modules/.cache')

interface Unpacked {
  path: string
  libraries: string
}

function unpacked() {
  const { path, libraries } = unpackOnce()
  const missing = execFileSync('ldd', [path], { encoding: 'utf8' }).includes('not found')
  // The libraries that it needs come with it too.
  const env = { ...process.env, ...(missing && { LD_LIBRARY_PATH: libraries }) } as Record<string, string>
  return { path, env }
}

/**
 * Into a folder of its own that is then given its name: of several processes that want it at once none meets the half of
 * what another writes.
 */
function unpackOnce(): Unpacked {
  const { version } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as { version: string }
  const folder = join(cache, `chromium-${version}`)
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true })
    const own = mkdtempSync(`${folder}-`)
    execFileSync(process.execPath, [import.meta.filename, 'unpack'], { env: { ...process.env, TMPDIR: own } })
    try {
      renameSync(own, folder)
    } catch {
      rmSync(own, { recursive: true })
    }
  }
  return { path: join(folder, 'chromium'), libraries: join(folder, 'al2023/lib') }
}

async function unpack(): Promise<void> {
  const { default: chromium, inflate } = await import('@sparticuz/chromium')
  await chromium.executablePath()
  await inflate(join(packed, 'bin/al2023.tar.br'))
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

if (process.argv[1] === import.meta.filename && process.argv[2] === 'unpack') await unpack()
