import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sunstead } from './commands.ts'

/** Of the one company that is in it. */
export interface DataDir {
  companyId: string
  /** The number by which the legacy interface knows it. */
  number: number
  key: string
  owner: { email: string; password: string }
}

/**
 * A DATA_DIR that a server has been started on before, with a company: making a cluster and bringing it to this version
 * takes longer than what is tested on it. It is made once in a run, and copied.
 */
export async function makeDataDir(target: string): Promise<DataDir> {
  const template = join(process.env.TEST_FOLDER!, 'data-dir')
  await makeOnce(template)
  // With the owners: PostgreSQL's files may be another user's.
  execFileSync('cp', ['-a', join(template, 'data'), target])
  return JSON.parse(await readFile(join(template, 'company.json'), 'utf8'))
}

/** By whoever comes first; where that fails, the next one tries. */
async function makeOnce(template: string): Promise<void> {
  const unfinished = `${template}.new`
  while (!existsSync(template)) {
    if (!(await isFirst(unfinished))) await wait(50)
    else {
      await fill(unfinished).catch(async (error) => {
        await rm(unfinished, { recursive: true })
        throw error
      })
      await rename(unfinished, template)
    }
  }
}

async function isFirst(folder: string): Promise<boolean> {
  return mkdir(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
}

async function fill(folder: string): Promise<void> {
  const env = { DATA_DIR: join(folder, 'data'), DEMO: '0' }
  const output = async (...args: string[]) => {
    const { code, stdout, stderr } = await sunstead([...args, '--json'], env)
    if (code !== 0) throw new Error(`sunstead ${args.join(' ')}: ${stderr}`)
    return JSON.parse(stdout)
  }
  await output('migrate')
  const { id: companyId, orgId: number } = await output('company', 'create', 'Solar Co')
  const { key } = await output('key', 'create', '--company', companyId, '--name', 'test')
  const email = 'olga@example.com'
  await output('member', 'add', '--email', email, '--company', companyId, '--name', 'Olga', '--role', 'owner')
  const { password } = await output('member', 'password', email)
  const made: DataDir = { companyId, number, key, owner: { email, password } }
  await writeFile(join(folder, 'company.json'), JSON.stringify(made))
}
