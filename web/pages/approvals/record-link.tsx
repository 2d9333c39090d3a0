import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AgentProposalResponse } from '../../approvals/use-approvals.ts'
import { approvals as texts } from '../../texts/en/approvals.ts'

const look = 'font-medium text-action hover:underline'

/** The way to what a proposal is about, or to what came of it. */
export function RecordLink({ proposal }: { proposal: AgentProposalResponse }): ReactNode {
  const { resultId, summary, leadId, installationId } = proposal
  const projectId = resultId?.startsWith('proj_') ? resultId : proposal.projectId
  const invoiceId = resultId?.startsWith('inv_') ? resultId : proposal.invoiceId
  const named = (record: keyof typeof texts.open) => {
    const label = resultId ? texts.openResult : texts.open[record]
    return { children: label, 'aria-label': `${label}: ${summary}`, className: look }
  }
  if (invoiceId) return <Link to="/billing/invoices/$id" params={{ id: invoiceId }} {...named('invoice')} />
  if (projectId) return <Link to="/projects/$id" params={{ id: projectId }} {...named('project')} />
  if (leadId) return <Link to="/leads/$id" params={{ id: leadId }} {...named('lead')} />
  if (installationId)
    return <Link to="/monitoring/$id" params={{ id: installationId }} {...named('installation')} />
  return null
}
