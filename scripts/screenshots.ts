// npm run screenshots: the pictures of the README, taken from the demo data.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import sharp from 'sharp'
import { readConfig } from '../src/config.ts'
import { createLog } from '../src/platform/log.ts'
import { startServer } from '../src/server.ts'
import { buildConsole } from './build-console.js'
import { findChromium } from './chromium.ts'

interface Picture {
  name: string
  path: string
  phone?: boolean
}

interface Visit {
  url: string
  email: string
  password: string
}

const folder = join(import.meta.dirname, '../docs/screenshots')
const laptop = { width: 1360, height: 850 }
const phone = { width: 390, height: 844 }

async function main(): Promise<void> {
  const found = await findChromium()
  if (!found) throw new Error('No Chromium is here. Install one, or name it in CHROMIUM.')
  buildConsole()
  const dataDir = await mkdtemp(join(tmpdir(), 'sunstead-pictures-'))
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' })
  const server = await startServer(config, createLog(config.logLevel))
  const browser = await chromium.launch({
    executablePath: found.path,
    env: { ...process.env, ...found.env } as Record<string, string>,
    args: ['--no-sandbox'],
  })
  try {
    const { companies } = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'))
    const { owner, key } = companies[0]
    const visit = { url: server.deps.addresses.baseUrl, ...owner }
    const first = async (list: string) => {
      const answer = await fetch(`${visit.url}/v1/${list}`, { headers: { authorization: `Bearer ${key}` } })
      const { data } = (await answer.json()) as { data: [{ id: string }] }
      return data[0]
    }
    const project = await first('projects?productLine=solar&limit=1')
    const lead = await first('leads?limit=1')
    const pictures: Picture[] = [
      { name: 'home', path: '/' },
      { name: 'board', path: '/board' },
      { name: 'leads', path: '/leads' },
      { name: 'lead', path: `/leads/${lead.id}` },
      { name: 'project', path: `/projects/${project.id}` },
      { name: 'calendar', path: '/calendar' },
      { name: 'monitoring', path: '/monitoring' },
      { name: 'billing', path: '/billing' },
      { name: 'ladder', path: '/settings/ladder' },
      { name: 'catalogue', path: '/settings/catalogue' },
      { name: 'keys', path: '/settings/keys' },
      { name: 'audit', path: '/settings/audit' },
      { name: 'board-phone', path: '/board', phone: true },
      { name: 'monitoring-phone', path: '/monitoring', phone: true },
    ]
    await mkdir(folder, { recursive: true })
    for (const theme of ['light', 'dark'] as const) await take(browser, visit, pictures, theme)
  } finally {
    await browser.close()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function take(browser: Browser, visit: Visit, pictures: Picture[], theme: 'light' | 'dark') {
  const context = await browser.newContext({ baseURL: visit.url, viewport: laptop, colorScheme: theme })
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(visit.email)
  await page.getByLabel('Password').fill(visit.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((at) => !at.pathname.startsWith('/sign-in'))
  for (const { name, path, phone: small } of pictures) {
    await page.setViewportSize(small ? phone : laptop)
    await page.goto(path)
    await page.locator('main h1').first().waitFor()
    await page.locator('[role=status][aria-label=Loading]').waitFor({ state: 'hidden' })
    const png = await page.screenshot({ animations: 'disabled' })
    const file = join(folder, `${name}-${theme}.webp`)
    await sharp(png).webp({ quality: 82 }).toFile(file)
    console.log(file)
  }
  await context.close()
}

await main()
