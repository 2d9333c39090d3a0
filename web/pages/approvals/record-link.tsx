import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AgentProposalResponse } from '../../approvals/use-approvals.ts'
import { approvals as texts } from '../../texts/en/approvals.ts'

const look = 'font-medium text-action hover:underline'

/** The way to what a proposal is about, or to what came of it. */
export function RecordLink({ proposal }: { proposal: AgentProposalResponse }): ReactNode {
  const { resultId, summary } = proposal
  const label = resultId ? texts.openResult : texts.open
  const named = { 'aria-label': `${label}: ${summary}`, className: look }
  const projectId = resultId?.startsWith('proj_') ? resultId : proposal.projectId
  const invoiceId = resultId?.startsWith('inv_') ? resultId : proposal.invoiceId
  if (projectId)
    return (
      <Link to="/projects/$id" params={{ id: projectId }} {...named}>
        {label}
      </Link>
    )
  if (invoiceId)
    return (
      <Link to="/billing/invoices/$id" params={{ id: invoiceId }} {...named}>
        {label}
      </Link>
    )
  if (proposal.leadId)
    return (
      <Link to="/leads/$id" params={{ id: proposal.leadId }} {...named}>
        {label}
      </Link>
    )
  if (proposal.installationId)
    return (
      <Link to="/monitoring/$id" params={{ id: proposal.installationId }} {...named}>
        {label}
      </Link>
    )
  return null
}
