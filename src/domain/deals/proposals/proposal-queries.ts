import { boolean, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { maybeOne, scalar } from '../../../platform/sql/statements.ts'

const projectId = row<{ installerId: string; id: string }>({ installerId: text, id: text })

/** Which project a proposal's address opens. */
export const findProposal = maybeOne(
  projectId,
  ($: Params<{ token: string }>) =>
    sql`select ${select(projectId)} from projects where proposal_token = ${$.token}`,
  { shared: 'read', across: 'a customer is known by the secret of the address alone' },
)

/** Whether the feed says since an instant that the proposal was opened. */
export const wasOpenedSince = scalar(
  { opened: boolean },
  ($: Params<{ installerId: string; leadId: string; since: Date; body: string }>) => sql`
    select exists (
      select from activities
      where installer_id = ${$.installerId} and lead_id = ${$.leadId} and at >= ${$.since} and type = 'message'
        and body = ${$.body}
    ) as opened`,
)
