import { row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { maybeOne } from '../../../platform/sql/statements.ts'

const owner = row<{ companyId: string; leadId: string }>({ companyId: text, leadId: text })

/** Whose project it is. */
export const findFolderOwner = maybeOne(
  owner,
  ($: Params<{ installerId: string; projectId: string }>) => sql`
    select ${select(owner)} from projects where installer_id = ${$.installerId} and id = ${$.projectId}`,
  { shared: 'read' },
)
