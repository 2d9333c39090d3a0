import { row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many, run } from '../../../platform/sql/statements.ts'

interface ProposalText {
  id: string
  companyId: string
  kind: string
  leadId: string | null
  installationId: string | null
  invoiceId: string | null
  /** All that it says. */
  text: string
}

const proposalText = row<ProposalText>({
  id: text,
  companyId: text,
  kind: text,
  leadId: text,
  installationId: text,
  invoiceId: text,
  text,
})

/** Those that still say something. */
export const listProposalTexts = many(
  proposalText,
  ($: Params<{ installerId: string; after: string; limit: number }>) => sql`
    select ${select(proposalText, '', {
      text: sql`concat_ws(' ', summary, reason, declined_because, input::text)`,
    })}
    from agent_proposals where installer_id = ${$.installerId} and id > ${$.after} and input is not null
    order by id limit ${$.limit}`,
)

export const emptyProposals = run(
  ($: Params<{ installerId: string; ids: readonly string[]; summary: string; now: Date }>) => sql`
    update agent_proposals set input = null, summary = ${$.summary}, reason = null, declined_because = null,
      state = case state when 'waiting' then 'erased' else state end, decided_at = coalesce(decided_at, ${$.now})
    where installer_id = ${$.installerId} and id = any(${$.ids}::text[])`,
)
