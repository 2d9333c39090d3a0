// npm audit of what runs in production. Fails on what is known to be grave; where the registry cannot be asked, says so
// and lets the other checks go on: being offline is no fault of the code.
import { execFile } from 'node:child_process'

/** What was found, or why nothing could be. */
export type Audit = { asked: true; grave: string[] } | { asked: false; why: string }

interface Report {
  vulnerabilities?: Record<string, { name: string; severity: string; range: string }>
  message?: string
  error?: { summary?: string }
}

const usualLimitMs = 20_000
const graveSeverities = ['high', 'critical']

/** Asks npm's registry what is known of the dependencies, for no longer than the limit. */
export async function auditDependencies(env: NodeJS.ProcessEnv, limitMs = usualLimitMs): Promise<Audit> {
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
  const [command, ...args] = [...npm, 'audit', '--omit=dev', '--json', '--fetch-retries=0']
  const options = { env, timeout: limitMs, killSignal: 'SIGKILL', maxBuffer: 50_000_000 } as const
  const { text, late } = await new Promise<{ text: string; late: boolean }>((resolve) => {
    // It ends with a failure where anything was found: what counts is what it wrote.
    execFile(command!, args, options, (error, stdout) =>
      resolve({ text: stdout, late: error?.killed === true }),
    )
  })
  if (late) return { asked: false, why: `no answer within ${limitMs / 1000} seconds` }
  const report = parsed(text)
  if (!report?.vulnerabilities)
    return { asked: false, why: report?.message || report?.error?.summary || 'npm audit wrote no report' }
  const grave = Object.values(report.vulnerabilities)
    .filter(({ severity }) => graveSeverities.includes(severity))
    .map(({ name, range, severity }) => `${name} ${range} (${severity})`)
  return { asked: true, grave }
}

function parsed(text: string): Report | null {
  try {
    return JSON.parse(text) as Report
  } catch {
    return null
  }
}

if (import.meta.main) {
  const audit = await auditDependencies(process.env)
  if (!audit.asked) console.log(`Skipped: the registry could not be asked (${audit.why}).`)
  else if (audit.grave.length === 0)
    console.log('No grave vulnerability is known of what runs in production.')
  else {
    console.error(`Known to be vulnerable:\n${audit.grave.map((line) => `  ${line}`).join('\n')}`)
    process.exitCode = 1
  }
}
