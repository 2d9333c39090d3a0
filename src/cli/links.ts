import type { Command } from 'commander'
import { findProjectDeal } from '../domain/deals/changes/deal.ts'
import { listProjectsToRenew } from '../domain/deals/links/queries.ts'
import { renewLinks } from '../domain/deals/links/renew-links.ts'
import { commandLine } from '../domain/journal/audit/command-line.ts'
import { createDirectories } from '../domain/kernel/tenant/directories.ts'
import { eachInstaller } from '../domain/kernel/tenant/queries.ts'
import { requireCompany } from '../domain/kernel/tenant/require-company.ts'
import { currentTime } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import { createProgress } from './energy-progress.ts'
import { interruptible } from './interruptible.ts'
import { type Output, printRecord } from './print.ts'
import { withDatabase } from './with-database.ts'

interface Options extends Output {
  project?: string
  company?: string
  all?: boolean
  since?: string
}

const atOnce = 100

export function linkCommands(program: Command): void {
  const links = program.command('links').description('addresses of files, folders and proposals')
  links
    .command('rotate')
    .description('renew the addresses that the APIs give: the old ones answer 404 from then on')
    .option('--project <id>', 'of this project')
    .option(
      '--company <company>',
      'of all projects of a company, by id or number: an installer’s with its dealers’',
    )
    .option('--all', 'of all projects')
    .option('--since <time>', 'go on with a run that was interrupted: leave out what was renewed since')
    .option('--json', 'print JSON')
    .action((options: Options) => withDatabase((db) => rotate(db, options)))
}

async function rotate(db: Database, options: Options): Promise<void> {
  const given = [options.project, options.company, options.all].filter((one) => one !== undefined)
  if (given.length !== 1) throw new Error('Say whose: one of --project, --company and --all.')
  if (options.project !== undefined && options.since !== undefined)
    throw new Error('--since is for --company and --all: one project is renewed as a whole.')
  const started = options.since === undefined ? currentTime() : new Date(options.since)
  if (Number.isNaN(started.getTime()))
    throw new Error('--since must be the time that the run was begun at, such as 2027-01-31T08:00:00Z.')
  const directories = createDirectories()
  const progress = createProgress()
  let projects = 0
  let files = 0
  const renew = async (installerId: string, id: string) => {
    const actor = commandLine({ id: installerId, installerId, kind: 'installer' })
    files += (await renewLinks({ db, directories, now: currentTime(), actor }, id)).files
    projects++
    progress.show(null, `${projects} projects since ${started.toISOString()}`)
  }

  const { project } = options
  const goOn = `Interrupted. To go on with the rest, add --since ${started.toISOString()}.`
  await interruptible(goOn, async (signal) => {
    if (project !== undefined) return renew(await installerOfProject(db, project), project)
    for await (const { installerId, companyId } of companiesOf(db, options.company)) {
      for (let after = ''; ; ) {
        const ids = await listProjectsToRenew(db, {
          installerId,
          companyId,
          since: started,
          afterId: after,
          limit: atOnce,
        })
        for (const id of ids) {
          signal.throwIfAborted()
          await renew(installerId, id)
        }
        if (ids.length < atOnce) break
        after = ids.at(-1)!
      }
    }
  }).finally(() => progress.end())
  printRecord({ projects, files, since: started.toISOString() }, options)
}

/** One company, or every installer; null stands for all companies of an installer. */
async function* companiesOf(db: Database, company: string | undefined) {
  if (company === undefined) {
    for await (const installerId of eachInstaller(db)) yield { installerId, companyId: null }
    return
  }
  const { id, installerId, kind } = await requireCompany(db, company)
  yield { installerId, companyId: kind === 'dealer' ? id : null }
}

async function installerOfProject(db: Database, project: string): Promise<string> {
  for await (const installerId of eachInstaller(db)) {
    const scope = { installerId, companyId: null, productLine: null }
    if (await findProjectDeal(db, scope, project)) return installerId
  }
  throw new Error(`There is no project ${project}.`)
}
