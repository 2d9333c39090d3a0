import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { type ClusterRecord, createRecord, readRecord, updateRecord } from './record.ts'
import { canUseFolder, findServiceUser, type Identity, run } from './user.ts'

export interface Cluster {
  dataDir: string
  /** Without symbolic links, as /proc shows it. */
  dir: string
  /** The owner of the cluster's files, as whom PostgreSQL must run; undefined: ourselves. */
  owner: Identity | undefined
  /** Of the role that owns the cluster. */
  password: string
  /** Of the role that the application has; empty until one is made. */
  applicationPassword: string
}

export interface ClusterOptions {
  dataDir: string
  serviceUser?: 'nobody' | undefined
  /** False where a power cut may lose the database (tests). */
  sync: boolean
  binariesFor: (beside: string, user: Identity | undefined) => Promise<string>
  note: (message: string) => void
}

const isRoot = () => process.getuid?.() === 0

/** Finds the cluster that DATA_DIR records, or makes one. */
export async function findOrCreateCluster(options: ClusterOptions): Promise<Cluster> {
  await mkdir(options.dataDir, { recursive: true })
  const dataDir = await realpath(options.dataDir)
  const record = (await existingRecord(dataDir)) ?? (await firstRecord(dataDir, options))
  const dir = resolve(dataDir, record.cluster)
  if (!existsSync(dir)) {
    if (record.made) {
      throw new Error(
        `${join(dataDir, 'postgres.json')} says that the database is in ${dir}, but it is not there. Put it ` +
          `back, or delete ${dataDir} to start again with an empty database.`,
      )
    }
    await createCluster(dir, record, options)
  }
  if (!record.made) await updateRecord(dataDir, { made: true })
  const { password, applicationPassword = '' } = record
  return {
    dataDir,
    dir: await realpath(dir),
    owner: await ownerOf(dir, options),
    password,
    applicationPassword,
  }
}

async function existingRecord(dataDir: string): Promise<ClusterRecord | undefined> {
  const record = await readRecord(dataDir)
  const cluster = join(dataDir, 'postgres')
  if (record !== undefined || !existsSync(cluster)) return record
  // Read again: another process may have made both since.
  const later = await readRecord(dataDir)
  if (later !== undefined) return later
  throw new Error(
    `${cluster} holds a database, but postgres.json with its password is missing. Restore that file from a ` +
      `backup, or delete ${dataDir} to start again with an empty database.`,
  )
}

async function firstRecord(dataDir: string, options: ClusterOptions): Promise<ClusterRecord> {
  const user = isRoot() ? await findServiceUser(options.serviceUser) : undefined
  const base =
    user === undefined || (await canUseFolder(dataDir, user)) ? dataDir : await createPlaceFor(user, dataDir)
  const cluster = join(base, 'postgres')
  const record = await createRecord(dataDir, {
    cluster: base === dataDir ? relative(dataDir, cluster) : cluster,
    made: false,
    password: randomBytes(24).toString('base64url'),
    applicationPassword: randomBytes(24).toString('base64url'),
    serviceUser: user?.name ?? null,
    binaries: null,
    socketDir: null,
  })
  if (base !== dataDir) {
    if (record.cluster !== cluster) await rm(base, { recursive: true })
    else await notePlaces(base, dataDir, options.note)
  }
  return record
}

/** Folders that outlive a reboot, unlike /tmp. */
const persistentFolders = ['/var/lib', '/var/tmp']

async function createPlaceFor(user: Identity, dataDir: string): Promise<string> {
  for (const folder of persistentFolders) {
    const place = await mkdtemp(join(folder, 'sunstead-')).catch(() => undefined)
    if (place === undefined) continue
    await chmod(place, 0o711)
    if (await canUseFolder(place, user)) {
      await writeFile(join(place, 'data-dir'), dataDir, { mode: 0o600 })
      return place
    }
    await rm(place, { recursive: true, force: true })
  }
  throw new Error(
    `PostgreSQL does not run as root, and its user can enter neither DATA_DIR nor ${persistentFolders.join(' nor ')}. ` +
      'Set DATA_DIR to a folder that other users may enter, or start Sunstead as an ordinary user.',
  )
}

/** Earlier places are named, not deleted: a DATA_DIR may look empty because its disk is not mounted. */
async function notePlaces(place: string, dataDir: string, note: (message: string) => void): Promise<void> {
  note(`the database lives in ${place}, because the user of PostgreSQL cannot enter ${dataDir}`)
  for (const name of await readdir(dirname(place))) {
    const other = join(dirname(place), name)
    if (!name.startsWith('sunstead-') || other === place) continue
    const owner = await readFile(join(other, 'data-dir'), 'utf8').catch(() => undefined)
    if (owner === dataDir)
      note(`an earlier database of it is still in ${other}; delete that when it is not wanted`)
  }
}

/**
 * In the order of bytes, which no update of the system changes, and with the small and capital letters of all scripts, which the server
 * brings. That names in any of them are in the index of words takes the system's own knowledge of letters: a few have none.
 */
const letters = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']

/** initdb works in a folder beside the final one: a cluster that stands under its name is whole. */
async function createCluster(dir: string, record: ClusterRecord, options: ClusterOptions): Promise<void> {
  const base = dirname(dir)
  const user = isRoot()
    ? await findServiceUser(record.serviceUser === 'nobody' ? 'nobody' : undefined)
    : undefined
  const binaries = await options.binariesFor(base, user)
  await removeUnfinished(base)
  options.note('making the database (once)')
  const unfinished = await mkdtemp(join(base, `postgres.new-${process.pid}-`))
  try {
    const passwordFile = join(unfinished, 'password')
    await writeFile(passwordFile, record.password, { mode: 0o600 })
    if (user) for (const path of [passwordFile, unfinished]) await chown(path, user.uid, user.gid)
    const make = (...more: string[]) =>
      run(
        join(binaries, 'bin/initdb'),
        [
          `--pgdata=${join(unfinished, 'cluster')}`,
          '--username=sunstead',
          `--pwfile=${passwordFile}`,
          '--auth=scram-sha-256',
          ...letters,
          '--no-instructions',
          ...(options.sync ? [] : ['--no-sync']),
          ...more,
        ],
        user,
      )
    const indexed = await make('--lc-ctype=C.UTF-8')
    const made = !indexed.ok && /invalid locale/.test(indexed.output) ? await make() : indexed
    if (!made.ok) {
      throw new Error(
        `PostgreSQL could not make its database in ${base}: ${made.output}\n` +
          'If a library is missing run npm rebuild; otherwise free some space, or set DATABASE_URL.',
      )
    }
    await rename(join(unfinished, 'cluster'), dir)
  } catch (error) {
    // Another process that started at the same moment was first; its cluster has the recorded password too.
    if (!existsSync(dir)) throw error
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** What starts that were killed during initdb left behind. */
async function removeUnfinished(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    const pid = /^postgres\.new-(\d+)-/.exec(name)?.[1]
    if (pid === undefined || Number(pid) === process.pid) continue
    try {
      process.kill(Number(pid), 0)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') continue
      // An initdb that outlived its parent may still write there.
      await rm(join(base, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    }
  }
}

async function ownerOf(dir: string, options: ClusterOptions): Promise<Identity | undefined> {
  const { uid, gid } = await stat(dir)
  if (!isRoot()) {
    if (uid === process.getuid?.()) return undefined
    throw new Error(`${dir} belongs to another user (${uid}). Start Sunstead as that user, or as root.`)
  }
  if (uid !== 0) return { uid, gid }
  // A copy or a restored backup, made by root.
  const user = await findServiceUser(options.serviceUser)
  await run('chown', ['-R', `${user.uid}:${user.gid}`, dir])
  return user
}
