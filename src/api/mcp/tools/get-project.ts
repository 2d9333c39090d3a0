import Type from 'typebox'
import { type ProjectRecord, readProgress } from '../../../domain/deals/projects/read-progress.ts'
import { cutBefore, jsonOf, taken } from '../../../domain/deals/projects/rendered-members.ts'
import { Fields } from '../../http/schema-words.ts'
import { JsonText } from '../answer-text.ts'
import { readingTool } from '../tool.ts'
import { takeApart } from '../untrusted.ts'
import { Holds, id, record, records } from '../words.ts'

const maxFiles = 20
const maxItems = 50

const contractMembers = cutBefore(['signedAt', 'files'])
const financingMembers = cutBefore(['type', 'lender', 'amount'])

export const getProject = readingTool({
  name: 'get_project',
  title: 'Read a project and what blocks it',
  description:
    'A project with its ladder, the checklist of its stage, its files and what keeps it from going on. Its activity is its lead’s: call get_lead with `leadId`.',
  of: 'company',
  input: Fields({ id: id('The project’s id or reference, or its lead’s') }),
  output: Holds({
    project: record('As GET /v1/projects/{id} reads it; the customer’s text and files under `untrusted`'),
    progress: Holds({
      ladder: Type.Array(Type.String(), { description: 'The stages in order' }),
      stage: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Where it stands' }),
      next: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'The stage after it' }),
      days_in_stage: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
      days_late: Type.Integer({ description: '0 where it is in time' }),
      checklist: records('Of its stage: label, done'),
      open_elsewhere: records(
        'Open items of other stages it has been in: stage, label, as schedule takes them',
      ),
      checklist_items: record('How many are done and open, of all stages'),
    }),
    blockers: records('What keeps it from going on: kind, text. Empty where nothing does'),
    files: record('How many files each folder has, and `more` where not all addresses are shown'),
  }),
  async read({ deps, ctx }, { id: key }) {
    const progress = await readProgress(ctx, key, deps.addresses.baseUrl)
    const { record, members, blockers } = progress
    const { files, shown } = filesOf(record)
    const untrusted = takeApart(members)
    const [contract, financing] = [
      contractMembers(members.get('contract')!),
      financingMembers(members.get('financing')!),
    ]
    members.delete('files')
    contract.delete('files')
    const lender = taken(financing, 'lender')
    if (lender !== undefined) untrusted.set('lender', lender)
    if (Object.keys(shown).length > 0) untrusted.set('files', JSON.stringify(shown))
    members
      .set('contract', jsonOf(contract))
      .set('financing', jsonOf(financing))
      .set('untrusted', jsonOf(untrusted))
    const rest = JSON.stringify({
      progress: {
        ladder: progress.ladder,
        stage: record.stage.name,
        next: progress.next,
        days_in_stage: progress.daysInStage,
        days_late: progress.daysLate,
        checklist: progress.checklist,
        open_elsewhere: progress.openElsewhere.slice(0, maxItems),
        checklist_items: progress.items,
      },
      blockers,
      files,
    })
    return new JsonText(`{"project":${jsonOf(members)},${rest.slice(1)}`)
  },
})

/** How many files there are by folder, and the newest addresses: their names are somebody else's text. */
function filesOf({ files: byFolder }: ProjectRecord) {
  const files: Record<string, unknown> = {}
  const shown: Record<string, string[]> = {}
  let room = maxFiles
  for (const [folder, addresses] of Object.entries(byFolder)) {
    if (addresses.length === 0) continue
    files[folder] = addresses.length
    if (room <= 0) continue
    shown[folder] = addresses.slice(-room)
    room -= shown[folder].length
  }
  const all = Object.values(byFolder).reduce((sum, { length }) => sum + length, 0)
  if (all > maxFiles) files['more'] = 'Not all addresses are shown: GET /v1/projects/{id}/files lists them.'
  return { files, shown }
}
