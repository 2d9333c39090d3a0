import { useQueryClient } from '@tanstack/react-query'
import { ArrowRight, Bot, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import {
  type AgentProposalResponse,
  type ApprovedResponse,
  approvalsKey,
} from '../../approvals/use-approvals.ts'
import { undoMove, undoMs } from '../../moving/move-project.tsx'
import { approvals as texts } from '../../texts/en/approvals.ts'
import { Button } from '../../ui/button.tsx'
import { formatAgo, formatDay, formatTime } from '../../ui/format.ts'
import { Badge, Card, type Tone } from '../../ui/surface.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { UnbrokenText } from '../../ui/unbroken-text.tsx'
import { DeclineDialog } from './decline-dialog.tsx'
import { RecordLink } from './record-link.tsx'

interface ProposalCardProps {
  proposal: AgentProposalResponse
  onDecided: () => void
}

const tones: Record<AgentProposalResponse['state'], Tone> = {
  waiting: 'info',
  approved: 'good',
  declined: 'bad',
  expired: 'plain',
  erased: 'plain',
  revoked: 'warn',
}

/** What is proposed, by whom and why, what would follow, and the two ways to decide. */
export function ProposalCard({ proposal, onDecided }: ProposalCardProps) {
  const { state, summary, agentName, createdAt, expiresAt } = proposal
  const isOpen = state === 'waiting' || state === 'revoked'
  return (
    <Card>
      <div className="flex flex-col gap-3 px-5 py-4">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.87rem] text-ink-soft">
          <Bot className="size-4" aria-hidden />
          <span className="font-medium text-ink">{texts.proposedBy(agentName)}</span>
          <span>
            · <Moment at={createdAt} />
          </span>
          {state !== 'waiting' && <Badge tone={tones[state]}>{texts.states[state]}</Badge>}
        </p>
        <h2 className="text-[1.05rem] font-semibold">
          <UnbrokenText>{summary}</UnbrokenText>
        </h2>
        {isOpen ? <Outlook proposal={proposal} /> : <Outcome proposal={proposal} />}
        <Reason of={agentName}>{proposal.reason}</Reason>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pt-1">
          <RecordLink proposal={proposal} />
          {isOpen && (
            <>
              <span className="text-[0.87rem] text-ink-soft" title={formatTime(expiresAt)}>
                {texts.expires(formatDay(expiresAt))}
              </span>
              {proposal.mayDecide && <Decision proposal={proposal} onDecided={onDecided} />}
            </>
          )}
        </div>
      </div>
    </Card>
  )
}

/** What would follow as things are now, or why it cannot be done. */
function Outlook({ proposal: { state, problem, follows } }: Pick<ProposalCardProps, 'proposal'>) {
  const why = state === 'revoked' ? texts.revoked : problem
  if (why)
    return (
      <p className="flex items-start gap-2 rounded-lg bg-warn-soft px-3 py-2 text-warn">
        <TriangleAlert className="mt-0.5 size-4.5 shrink-0" aria-hidden />
        <span>
          <UnbrokenText>{why}</UnbrokenText>
        </span>
      </p>
    )
  return (
    <div>
      <h3 className="text-[0.87rem] font-medium text-ink-soft">{texts.follows}</h3>
      <ul className="flex flex-col gap-1 pt-1">
        {(follows.length > 0 ? follows : [texts.followsNothing]).map((sentence) => (
          <li key={sentence} className="flex items-start gap-2">
            <ArrowRight className="mt-1 size-4 shrink-0 text-ink-soft" aria-hidden />
            <span>
              <UnbrokenText>{sentence}</UnbrokenText>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Outcome({ proposal }: Pick<ProposalCardProps, 'proposal'>) {
  const { decidedByName, decidedAt, declinedBecause } = proposal
  return (
    <>
      {decidedByName && decidedAt && (
        <p className="text-ink-soft" title={formatTime(decidedAt)}>
          {texts.decidedBy(decidedByName, formatAgo(decidedAt))}
        </p>
      )}
      <Reason of={decidedByName ?? ''}>{declinedBecause}</Reason>
    </>
  )
}

/** In somebody's own words. */
function Reason({ of, children }: { of: string; children: string | null }) {
  if (children === null) return null
  return (
    <figure className="border-l-3 border-line pl-3 text-ink-soft">
      <figcaption className="text-[0.87rem]">{texts.why(of)}</figcaption>
      <blockquote className="whitespace-pre-wrap">
        <UnbrokenText>{children}</UnbrokenText>
      </blockquote>
    </figure>
  )
}

function Decision({ proposal, onDecided }: ProposalCardProps) {
  const { id, summary, state, problem, seen } = proposal
  const [declining, setDeclining] = useState(false)
  const { say, complain } = useToasts()
  const client = useQueryClient()
  const approve = useSubmit({
    mutationFn: (_, submission) =>
      api.post<ApprovedResponse>(`/agent-proposals/${id}/approve`, { seen: seen ?? undefined }, submission),
    onSuccess: ({ undo, projectId }) => {
      const takeBack = async () => {
        await undoMove(projectId!, undo!.moveId).then(() => say(texts.undone(summary)), complain)
        await client.invalidateQueries()
      }
      say(texts.approved(summary), undo ? { label: texts.undo, forMs: undoMs, run: takeBack } : undefined)
      onDecided()
    },
    onError: complain,
    // What it did shows in lists of many kinds.
    onSettled: () => client.invalidateQueries(),
  })
  return (
    <span className="flex gap-2 sm:ml-auto">
      {state === 'waiting' && problem === null && (
        <Button
          kind="primary"
          busy={approve.isPending}
          aria-label={texts.approveThis(summary)}
          onClick={() => approve.mutate()}
        >
          {texts.approve}
        </Button>
      )}
      <Button aria-label={texts.declineThis(summary)} onClick={() => setDeclining(true)}>
        {texts.decline}
      </Button>
      {declining && (
        <DeclineDialog
          proposal={proposal}
          onClose={() => setDeclining(false)}
          onDeclined={() => {
            setDeclining(false)
            void client.invalidateQueries({ queryKey: approvalsKey })
            onDecided()
          }}
        />
      )}
    </span>
  )
}

function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatTime(at)}>
      {formatAgo(at)}
    </time>
  )
}
