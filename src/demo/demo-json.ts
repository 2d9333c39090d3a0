import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Addresses } from '../config.ts'
import type { CompanyKind } from '../domain/kernel/tenant/company.ts'
import type { Role } from '../domain/kernel/tenant/member.ts'

export interface DemoCompany {
  name: string
  kind: CompanyKind
  id: string
  orgId: number
  installerId: string
  key: string
  owner: { email: string; password: string }
  /** Everybody who signs in with the owner's password; not in a demo of an older version. */
  members?: { email: string; role: Role }[]
}

export interface Demo extends Addresses {
  consoleUrl: string
  companies: DemoCompany[]
}

const fileName = 'demo.json'
// Written before the data is committed and renamed after: whichever of the two a killed process
// leaves, the keys of data that is there are never lost.
const pendingName = 'demo.json.pending'

export function demoOf(
  { baseUrl, legacyBaseUrl, catalogBaseUrl }: Addresses,
  companies: DemoCompany[],
): Demo {
  return { baseUrl, legacyBaseUrl, catalogBaseUrl, consoleUrl: baseUrl, companies }
}

export function readDemo(dataDir: string): Promise<Demo | null> {
  return read(join(dataDir, fileName))
}

export function readPendingDemo(dataDir: string): Promise<Demo | null> {
  return read(join(dataDir, pendingName))
}

/** Replaces demo.json: a reader finds the old one or the new one, whole. */
export async function writeDemo(dataDir: string, demo: Demo): Promise<void> {
  const temp = `${fileName}.${process.pid}.tmp`
  await write(dataDir, temp, demo)
  await moved(dataDir, temp)
}

export function writePendingDemo(dataDir: string, demo: Demo): Promise<void> {
  return write(dataDir, pendingName, demo)
}

/** The data is there: what was pending is the demo. */
export function adoptPendingDemo(dataDir: string): Promise<void> {
  return moved(dataDir, pendingName)
}

async function moved(dataDir: string, name: string): Promise<void> {
  await rename(join(dataDir, name), join(dataDir, fileName))
  await syncFolder(dataDir)
}

async function write(dataDir: string, name: string, demo: Demo): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const file = await open(join(dataDir, name), 'w', 0o600)
  try {
    // An older file keeps its mode when it is opened again.
    await file.chmod(0o600)
    await file.writeFile(`${JSON.stringify(demo, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await syncFolder(dataDir)
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

/** Written by us, but people may have been at it. */
function isCompany(company: Partial<DemoCompany> | null): boolean {
  const { key, owner } = company ?? {}
  return [key, owner?.email, owner?.password].every((text) => typeof text === 'string')
}

/** Null where there is none, or where it is not what we write. */
async function read(path: string): Promise<Demo | null> {
  try {
    const demo = JSON.parse(await readFile(path, 'utf8')) as Demo
    return Array.isArray(demo?.companies) && demo.companies.every(isCompany) ? demo : null
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
