import { type Command, InvalidArgumentError, Option } from 'commander'
import { interfaceOf } from '../conformance/chapters.ts'
import { unreachable } from '../conformance/reach.ts'
import { countsOf, oneLine, plan, tableLines } from '../conformance/report.ts'
import { type Interface, interfaces } from '../conformance/rule.ts'
import { chosenRules, type RunOptions, runConformance } from '../conformance/run.ts'
import { type Given, targetOf } from '../conformance/target.ts'
import { interruptible } from './interruptible.ts'
import type { Output } from './print.ts'

interface Options extends Given, Output {
  only?: string[]
  interface?: Interface[]
  readOnly?: boolean
  specOnly?: boolean
  rateLimit: boolean
  timeout: number
}

const separate = (text: string, before: string[] = []) => [...before, ...text.split(',').filter(Boolean)]

function httpAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new InvalidArgumentError('Write an address such as https://api.example.com.')
  return text
}

function someInterfaces(text: string, before: Interface[] = []): Interface[] {
  const names = separate(text) as Interface[]
  const wrong = names.find((name) => !interfaces.includes(name))
  if (wrong) throw new InvalidArgumentError(`${wrong} is none of ${interfaces.join(', ')}.`)
  return [...before, ...names]
}

function seconds(text: string): number {
  const value = Number(text)
  if (!(value > 0 && value <= 300)) throw new InvalidArgumentError('Use up to 300 seconds.')
  return value
}

const fromEnvironment = (flags: string, description: string, name: string) =>
  new Option(flags, description).env(name)

/** Holds any server to the three specs, over HTTP alone. */
export function conformanceCommand(program: Command): void {
  program
    .command('conformance')
    .description(
      'hold a server to the three specs, rule by rule; exit code 1 where one fails, 2 where an address or a key is wrong',
    )
    .requiredOption('--base-url <url>', 'where /v1 is', httpAddress)
    .option('--legacy-base-url <url>', 'default {base-url}/legacy', httpAddress)
    .option('--catalog-base-url <url>', 'default {base-url}/catalog', httpAddress)
    .addOption(
      fromEnvironment(
        '--installer-key <key>',
        "an installer's key",
        'CONFORMANCE_INSTALLER_KEY',
      ).makeOptionMandatory(),
    )
    .addOption(fromEnvironment('--dealer-key <key>', 'a key of one of its dealers', 'CONFORMANCE_DEALER_KEY'))
    .addOption(fromEnvironment('--legacy-key <key>', 'default: the installer’s', 'CONFORMANCE_LEGACY_KEY'))
    .addOption(fromEnvironment('--catalog-key <key>', 'default: the installer’s', 'CONFORMANCE_CATALOG_KEY'))
    .option('--org-id <number>', 'the installer’s number; without it no project is created')
    .option('--installer-id <id>', 'the installer’s id in the legacy API; default: its number')
    .option('--hi-project <id>', 'a home-improvement project that may be changed')
    .option(
      '--file-url <url>',
      'a public https address of a small document that the server may copy',
      httpAddress,
    )
    .option('--member-email <email>', 'an active member of the installer’s company')
    .option(
      '--receiver-url <url>',
      'where the server reaches the webhook receiver of this command',
      httpAddress,
    )
    .option('--receiver-listen <host:port>', 'where that receiver listens; default 127.0.0.1:8081')
    .option('--only <rules>', 'rules, or how they begin, such as v1.leads,legacy.create-lead', separate)
    .option('--interface <names>', `of ${interfaces.join(', ')}`, someInterfaces)
    .option('--spec-only', 'leave out what the specs do not say and we decided')
    .option('--read-only', 'run only what writes nothing')
    .option('--no-rate-limit', 'leave out the rules that use up a minute’s calls')
    .option('--timeout <seconds>', 'how long an answer may take', seconds, 15)
    .option('--json', 'print JSON')
    .action(run)
}

async function run({ json = false, only, interface: some, timeout, ...options }: Options): Promise<void> {
  const target = targetOf(options)
  const { readOnly = false, specOnly = false, rateLimit } = options
  const chosen: RunOptions = {
    ...(only ? { only } : {}),
    ...(some ? { interfaces: some } : {}),
    readOnly,
    specOnly,
    rateLimit,
    timeoutMs: timeout * 1000,
  }
  const rules = chosenRules(chosen)
  const note = (line: string) => console.error(line)
  const results = await interruptible('Stopped before all rules were run.', async (signal) => {
    const faces = [...new Set(rules.map(interfaceOf))]
    const wrong = await unreachable(target, faces, { timeoutMs: timeout * 1000, signal, note })
    if (wrong.length > 0) {
      for (const line of wrong) note(oneLine(line))
      return null
    }
    note(
      [rules.length === 1 ? '1 rule.' : `${rules.length} rules.`, ...plan(target, rules, readOnly)].join(
        '\n',
      ),
    )
    return runConformance(target, {
      ...chosen,
      signal,
      note,
      told: ({ id, result }, done, all) => {
        if (result === 'failed') console.error(`${done} of ${all}: ${id} failed`)
        else if (done % 50 === 0) console.error(`${done} of ${all}`)
      },
    })
  })
  if (results === null) {
    process.exitCode = 2
    return
  }
  const counts = countsOf(results)
  if (json) {
    const { baseUrl, legacyBaseUrl, catalogBaseUrl } = target
    console.log(JSON.stringify({ baseUrl, legacyBaseUrl, catalogBaseUrl, counts, rules: results }, null, 2))
  } else console.log(tableLines(results).join('\n'))
  if (counts.failed > 0) process.exitCode = 1
}
