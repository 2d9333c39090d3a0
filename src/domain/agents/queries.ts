import { isExactly } from '../../platform/sql/is-exactly.ts'
import { boolean, instant, integer, json, row, select, text } from '../../platform/sql/row.ts'
import { type Fragment, type Params, pick, raw, sql, when } from '../../platform/sql/sql.ts'
import { exists, many, maybeOne, one, run } from '../../platform/sql/statements.ts'
import { countUpTo } from '../kernel/counted.ts'
import type { AgentProposal, ProposedKind, StoredState } from './agent-proposal.ts'

const proposalRow = row<AgentProposal>({
  installerId: text,
  id: text,
  companyId: text,
  keyId: text,
  agentName: text,
  kind: text,
  leadId: text,
  projectId: text,
  installationId: text,
  invoiceId: text,
  basis: text,
  input: json,
  summary: text,
  reason: text,
  state: text,
  createdAt: instant,
  expiresAt: instant,
  decidedAt: instant,
  decidedBy: text,
  decidedByName: text,
  declinedBecause: text,
  resultId: text,
  keyRevoked: boolean,
})

const columns = ($: Params<{ installerId: string }>) =>
  select(proposalRow, 'p', {
    keyRevoked: sql`exists (select from api_keys k
      where k.installer_id = ${$.installerId} and k.id = p.key_id and k.revoked_at is not null)`,
  })

/** Whose proposals: a tenant's, a company's, or those of sales that one person makes. */
export interface ProposalScope {
  installerId: string
  companyId: string | null
  memberId: string | null
}

const ofCompany = ($: Params<ProposalScope>) =>
  sql`p.installer_id = ${$.installerId} ${when($.companyId, sql`and ${isExactly('p.company_id', $.companyId)}`)}`

const within = ($: Params<ProposalScope>) => sql`${ofCompany($)}
  ${when(
    $.memberId,
    sql`and p.kind = 'sale' and exists (select from leads l
      where l.installer_id = ${$.installerId} and l.id = p.lead_id and l.sales_rep_id = ${$.memberId})`,
  )}`

export const findProposal = maybeOne(
  proposalRow,
  ($: Params<ProposalScope & { id: string }>) =>
    sql`select ${columns($)} from agent_proposals p where ${within($)} and p.id = ${$.id}`,
)

export interface ProposalPosition {
  at: Date
  id: string
}

interface Page extends ProposalScope {
  list: 'waiting' | 'decided'
  /** Whether the leads that the person sells are few: theirs are found by these. */
  ofFew: boolean
  now: Date
  beforeAt: Date | undefined
  beforeId: string | undefined
  limit: number
}

const waits = ($: Params<{ now: Date }>) => sql`p.state = 'waiting' and p.expires_at > ${$.now}`

const ofLeads = ($: Params<Page>) => sql`(
    select id from leads where installer_id = ${$.installerId} and ${isExactly('sales_rep_id', $.memberId)} offset 0
  ) l cross join lateral (
    select * from agent_proposals
    where installer_id = ${$.installerId} and lead_id = l.id and kind = 'sale' offset 0
  ) p where ${ofCompany($)}`

/** In the order of an index of the tenant or the company, in which this column says the time. */
const newest = ($: Params<Page>, which: Fragment, time: Fragment) => sql`
  select ${columns($)} from ${when($.ofFew, ofLeads($), sql`agent_proposals p where ${within($)}`)} and ${which}
    ${when($.beforeId, sql`and ${time} <= ${$.beforeAt} and (${time}, p.id) < (${$.beforeAt}, ${$.beforeId})`)}
  order by ${when($.companyId, sql`p.company_id desc,`)} ${time} desc, p.id desc limit ${$.limit}`

/** The newest first: what waits by when it was proposed, the others by when they were decided. */
export const listProposals = many(proposalRow, ($: Params<Page>) =>
  pick($.list, {
    waiting: newest($, waits($), sql`p.created_at`),
    decided: newest($, sql`p.decided_at is not null`, sql`p.decided_at`),
  }),
)

/** So many leads are gone through for the proposals about them; of who sells more, there are some among the newest. */
const fewLeads = 2_000

export const sellsFew = one(
  row<{ few: boolean }>({ few: boolean }),
  ($: Params<{ installerId: string; memberId: string }>) => sql`
    select not exists (
      select from leads where installer_id = ${$.installerId} and ${isExactly('sales_rep_id', $.memberId)}
      order by sales_rep_id offset ${raw(fewLeads)}
    ) as few`,
)

interface OwnPage {
  installerId: string
  companyId: string
  agentName: string
  kinds: readonly ProposedKind[]
  list: 'all' | 'waiting' | 'decided'
  now: Date
  beforeAt: Date | undefined
  beforeId: string | undefined
  limit: number
}

const ownPage = ($: Params<OwnPage>, which: Fragment) => sql`select ${columns($)} from agent_proposals p
  where p.installer_id = ${$.installerId} and p.company_id = ${$.companyId} and p.agent_name = ${$.agentName}
    and p.kind = any(${$.kinds}::text[]) ${which}
    ${when($.beforeId, sql`and (p.created_at, p.id) < (${$.beforeAt}, ${$.beforeId})`)}
  order by p.created_at desc, p.id desc limit ${$.limit}`

/** What an agent has proposed, by whichever of its keys, the newest first. */
export const listOwnProposals = many(proposalRow, ($: Params<OwnPage>) =>
  pick($.list, {
    all: ownPage($, sql``),
    waiting: ownPage($, sql`and ${waits($)}`),
    decided: ownPage($, sql`and (p.state <> 'waiting' or p.expires_at <= ${$.now})`),
  }),
)

/** Further nobody counts. */
const countedProposals = 99

export const countProposals = one(
  row<{ waiting: number }>({ waiting: integer }),
  ($: Params<ProposalScope & { now: Date }>) => sql`
    select ${countUpTo(sql`from agent_proposals p where ${within($)} and ${waits($)}`, countedProposals)} as waiting`,
)

interface OfKey {
  installerId: string
  keyId: string
  now: Date
}

/** What the key has proposed before, in whatever words, and still waits. */
export const findSameProposal = maybeOne(
  proposalRow,
  ($: Params<OfKey & { digest: Buffer }>) => sql`
    select ${columns($)} from agent_proposals p
    where p.installer_id = ${$.installerId} and p.key_id = ${$.keyId} and p.digest = ${$.digest} and ${waits($)}
    order by p.created_at desc limit 1`,
)

export const countWaitingOfKey = one(
  row<{ waiting: number }>({ waiting: integer }),
  ($: Params<OfKey>) => sql`
    select ${countUpTo(sql`from agent_proposals p
      where p.installer_id = ${$.installerId} and p.key_id = ${$.keyId} and ${waits($)}`)} as waiting`,
)

type NewProposal = Pick<
  AgentProposal,
  | 'installerId'
  | 'id'
  | 'companyId'
  | 'keyId'
  | 'agentName'
  | 'kind'
  | 'leadId'
  | 'projectId'
  | 'installationId'
  | 'invoiceId'
  | 'basis'
  | 'summary'
  | 'reason'
  | 'createdAt'
  | 'expiresAt'
> & { input: string; digest: Buffer }

export const insertProposal = run(
  ($: Params<NewProposal>) => sql`
    insert into agent_proposals (installer_id, id, company_id, key_id, agent_name, kind, lead_id, project_id,
      installation_id, invoice_id, basis, input, digest, summary, reason, state, created_at, expires_at)
    values (${$.installerId}, ${$.id}, ${$.companyId}, ${$.keyId}, ${$.agentName}, ${$.kind}, ${$.leadId}, ${$.projectId},
      ${$.installationId}, ${$.invoiceId}, ${$.basis}, ${$.input}, ${$.digest}, ${$.summary}, ${$.reason}, 'waiting',
      ${$.createdAt}, ${$.expiresAt})`,
)

interface Decision {
  installerId: string
  id: string
  state: StoredState
  at: Date
  by: string | null
  byName: string
  because: string | null
  resultId: string | null
}

/** Once: what is decided stays as it is. */
export const decideProposal = exists(
  ($: Params<Decision>) => sql`
    update agent_proposals set state = ${$.state}, decided_at = ${$.at}, decided_by = ${$.by},
      decided_by_name = ${$.byName}, declined_because = ${$.because}, result_id = ${$.resultId}
    where installer_id = ${$.installerId} and id = ${$.id} and state = 'waiting' returning id`,
)

// Both by an index of all companies, whose conditions no company's list has.

export const expireProposals = run(
  ($: Params<{ now: Date }>) => sql`
    update agent_proposals set state = 'expired', decided_at = expires_at
    where state = 'waiting' and decided_at is null and expires_at <= ${$.now}`,
  { across: 'what has waited too long, of all companies' },
)

export const deleteProposals = run(
  ($: Params<{ before: Date }>) =>
    sql`delete from agent_proposals where decided_at < ${$.before} and state <> 'waiting'`,
  { across: 'what was kept long enough, of all companies' },
)
