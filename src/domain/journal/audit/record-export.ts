import type { Context } from '../../kernel/context.ts'
import { doneBy, recordSecurity } from './record-security.ts'

/** What can be taken along at once. */
export type Exported = 'everything' | 'adder' | 'equipment' | 'readings' | 'import_problems'

/** Notes that somebody takes a company's records along, before they have them: what fails later was asked for too. */
export async function recordExport({ db, now, actor }: Context, what: Exported): Promise<void> {
  await recordSecurity(db, now, [
    { ...doneBy(actor), type: 'security.exported', subjectId: actor.companyId, name: what },
  ])
}
