import { execFile } from 'node:child_process'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Whom PostgreSQL runs as. `undefined` in signatures below means: as ourselves. */
export interface Identity {
  uid: number
  gid: number
}

export interface ServiceUser extends Identity {
  name: string
}

const runFile = promisify(execFile)

/** PostgreSQL gets no variable of ours: they may hold secrets, and PG… ones would change its settings. */
export function plainEnvironment(): Record<string, string> {
  const { PATH = '', LD_LIBRARY_PATH } = process.env
  return {
    PATH: `${PATH}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(LD_LIBRARY_PATH !== undefined && { LD_LIBRARY_PATH }),
  }
}

export async function run(
  file: string,
  args: string[],
  as?: Identity,
): Promise<{ ok: boolean; output: string }> {
  const identity = as && { uid: as.uid, gid: as.gid }
  try {
    // The folder we were started in may be closed to the service user.
    const done = await runFile(file, args, {
      cwd: '/',
      env: plainEnvironment(),
      timeout: 120_000,
      ...identity,
    })
    return { ok: true, output: done.stdout + done.stderr }
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string }
    return { ok: false, output: (stdout + stderr).trim() || message }
  }
}

async function findUser(name: string): Promise<ServiceUser | undefined> {
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
  if (!uid.ok || !gid.ok || Number(uid.output) === 0) return undefined
  return { name, uid: Number(uid.output), gid: Number(gid.output) }
}

const waysToAddUser: [string, string[]][] = [
  ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'sunstead']],
  ['adduser', ['--system', '--group', '--no-create-home', 'sunstead']],
  ['adduser', ['-S', '-D', '-H', '-s', '/sbin/nologin', 'sunstead']],
]

/** PostgreSQL refuses to run as root: finds or adds the system user `sunstead`, else takes `nobody`. */
export async function findServiceUser(only?: 'nobody'): Promise<ServiceUser> {
  if (only === undefined) {
    const present = await findUser('sunstead')
    if (present) return present
    for (const [file, args] of waysToAddUser) {
      await run(file, args)
      const added = await findUser('sunstead')
      if (added) return added
    }
  }
  const nobody = await findUser('nobody')
  if (nobody) return nobody
  throw new Error(
    'PostgreSQL does not run as root, and neither a system user "sunstead" could be added nor is there a user ' +
      '"nobody". Add one with useradd --system sunstead, start Sunstead as an ordinary user, or set DATABASE_URL.',
  )
}

/** Whether the user can really enter the folder and write to a folder of its own in it. */
export async function canUseFolder(folder: string, user: Identity): Promise<boolean> {
  let probe: string | undefined
  try {
    probe = await mkdtemp(join(folder, '.probe-'))
    await chown(probe, user.uid, user.gid)
    return (await run('/bin/sh', ['-c', 'cd "$1" && : > written', 'sh', probe], user)).ok
  } catch {
    return false
  } finally {
    if (probe !== undefined) await rm(probe, { recursive: true, force: true })
  }
}
