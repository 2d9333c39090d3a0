// Writes docs/permissions.md from the policy; with --check, fails where the committed file differs.
import { readFile, writeFile } from 'node:fs/promises'
import { folders } from '../src/domain/kernel/folder.ts'
import { folderLevel } from '../src/domain/kernel/folder-policy.ts'
import { type Action, actions, decides, type Holder, holders, holds } from '../src/domain/kernel/policy.ts'

const shown = holders.filter((holder) => holder !== 'job')
const heads = shown.map((holder) => `${holder[0]!.toUpperCase()}${holder.slice(1)}`)
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
const head = (first: string, more: readonly string[] = []) =>
  row([first, ...heads, ...more]) + row(['---', ...[...heads, ...more].map(() => ':-:')])

function cell(holder: Holder, action: Action): string {
  if (holds('dealer', holder, action)) return '✓'
  return holds('installer', holder, action) ? 'I' : ''
}

function proposingCell(action: Action): string {
  return cell('key', action) !== '' && decides(action) ? 'P' : cell('key', action)
}

const names = Object.keys(actions) as Action[]
const table = names.map((action) =>
  row([
    `\`${action}\` ${actions[action].does}`,
    ...shown.map((holder) => cell(holder, action)),
    proposingCell(action),
  ]),
)
const foldersOf = (kind: 'installer' | 'dealer') =>
  folders.map((folder) =>
    row([
      `\`${folder}\``,
      ...shown
        .map((holder) => folderLevel(kind, holder, folder))
        .map((level) => (level === 'none' ? '' : level)),
    ]),
  )

const text = `# Who may what

Written from \`src/domain/kernel/policy.ts\` by \`npm run permissions\`: change it there. Every use case asks that table.

✓ at every company, I at the installer only (not at its dealers). A key is a company's program; one whose access is \`read\`
does nothing that changes something. What the system does by itself, or whoever runs the server by the command line, is
not in the tables. P is what an agent's key that asks for approval does not do by itself: it proposes it through \`/mcp\`,
a person who may do it approves, and over the other interfaces it is refused with 403.

${head('may', ['Proposing key'])}${table.join('')}
What belongs to another company is not refused but not there: a dealer sees its own records, the installer those of the
whole tenant. Who may not \`records.readAll\` sees the leads, projects and sites that they are on (who is
on more than 20,000 is given all regions of their company to choose from, and where a column of the board goes on may be
said by the id of a project that is not theirs). Whoever is a lead's own sales rep sells it. Nobody deactivates themselves, and a company keeps an owner.

## Files of a project

\`read\` is seeing and sharing, \`add\` also adding and taking back what one has added, \`remove\` also what others have.

### At the installer

${head('folder')}${foldersOf('installer').join('')}
### At its dealers

${head('folder')}${foldersOf('dealer').join('')}`

const file = new URL('../docs/permissions.md', import.meta.url)
if (!process.argv.includes('--check')) await writeFile(file, text)
else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
  console.error('docs/permissions.md is not what the policy says. Run "npm run permissions" and commit it.')
  process.exitCode = 1
}
