import { createHash } from 'node:crypto'
import type { Db } from '../../platform/db.ts'
import { newId } from '../../platform/ids.ts'
import { recordEvents } from '../journal/events/record-events.ts'
import type { Context } from '../kernel/context.ts'
import { DomainError } from '../kernel/domain-error.ts'
import { requireWriter } from '../kernel/policy.ts'
import { lockTenant, takeTimes } from '../kernel/tenant/clock-queries.ts'
import {
  type About,
  maxReason,
  maxWaiting,
  type Outlook,
  type ProposalRequest,
  type ProposedKind,
  waitsMs,
} from './agent-proposal.ts'
import { kindsInWords } from './in-words.ts'
import { foresee } from './kinds.ts'
import { countWaitingOfKey, findSameProposal, insertProposal } from './queries.ts'

/** What an agent is answered. */
export interface Proposed extends Pick<Outlook, 'summary' | 'follows'> {
  id: string
  /** Whether it was not waiting already, proposed by the same key. */
  created: boolean
  expiresAt: Date
}

const maxInputBytes = 65_536

/** What a proposal would come to, refused where it would be. Nothing is stored. */
export async function previewProposal(ctx: Context, request: ProposalRequest): Promise<Outlook> {
  const { actor } = ctx
  requireWriter(actor)
  if (!actor.agent || actor.id === null)
    throw new DomainError('forbidden', 'Only a key that was made for an agent may propose.')
  requireSound(request)
  const decider = { ...ctx, actor: { ...actor, agent: { ...actor.agent, proposes: false } } }
  return foresee(decider, request, actor.companyId)
}

/**
 * Stores what an agent wants done until a person decides. It is looked at first as if it were done now: what its use case
 * would refuse is refused here in the same words. The same proposed twice waits once.
 */
export async function propose(
  ctx: Context,
  request: ProposalRequest,
  { reason = null }: { reason?: string | null | undefined } = {},
): Promise<Proposed> {
  const outlook = await previewProposal(ctx, request)
  const why = reasonOf(reason)
  const input = JSON.stringify(request)
  if (Buffer.byteLength(input) > maxInputBytes)
    throw new DomainError('invalid', `The proposal is larger than ${maxInputBytes / 1024} KiB. Send less.`)
  const digest = createHash('sha256')
    .update(JSON.stringify([request.kind, outlook.meaning]))
    .digest()
  return ctx.db.transaction(async (tx) => {
    await lockTenant(tx, ctx.actor.installerId)
    const key = { installerId: ctx.actor.installerId, keyId: ctx.actor.id!, now: ctx.now }
    const there = await findSameProposal(tx, { ...key, digest })
    // The record may have been there and back: what is proposed now is about how it is now.
    if (there && there.basis === outlook.basis)
      return { ...wordsOf(outlook), id: there.id, created: false, expiresAt: there.expiresAt }
    const { waiting } = await countWaitingOfKey(tx, key)
    if (waiting >= maxWaiting)
      throw new DomainError(
        'invalid',
        `${waiting} proposals of this key wait already, and no more may. Ask your people to decide on some of them in the console first.`,
      )
    return insert(tx, ctx, request, outlook, { input, digest, reason: why })
  })
}

const wordsOf = ({ summary, follows }: Outlook) => ({ summary, follows })

async function insert(
  tx: Db,
  { actor, now }: Context,
  { kind }: ProposalRequest,
  outlook: Outlook,
  text: { input: string; digest: Buffer; reason: string | null },
): Promise<Proposed> {
  const { installerId, companyId } = actor
  const { about, basis, summary } = outlook
  const id = newId('agp')
  const expiresAt = new Date(now.getTime() + waitsMs)
  const createdAt = await takeTimes(tx, installerId, now, 1)
  await insertProposal(tx, {
    ...{ installerId, id, companyId, kind, basis, summary, createdAt, expiresAt },
    ...about,
    ...text,
    keyId: actor.id!,
    agentName: actor.agent!.name,
  })
  await recordEvents(tx, actor, createdAt, [
    eventOf('agent_proposal.made', { id, companyId, kind, ...about }),
  ])
  return { ...wordsOf(outlook), id, created: true, expiresAt }
}

interface Told extends About {
  id: string
  companyId: string
  kind: ProposedKind
}

/** Says nothing of a customer: whose it is stands in the lead. */
export function eventOf(type: string, { id, companyId, leadId, kind }: Told) {
  const name = kindsInWords[kind]
  const changes: Record<string, [unknown, unknown]> = leadId === null ? {} : { proposal: [null, name] }
  return { type, companyId, subjectId: id, leadId, data: { name }, changes }
}

function reasonOf(text: string | null): string | null {
  const reason = text?.trim() || null
  if (reason !== null && reason.length > maxReason)
    throw new DomainError('invalid', `reason must have at most ${maxReason} characters.`)
  if (reason !== null) requireSound(reason)
  return reason
}

/** Refuses text that no database keeps. */
export function requireSound(value: unknown): void {
  if (typeof value === 'string') {
    if (value.isWellFormed() && !value.includes('\0')) return
    throw new DomainError('invalid', 'Text must hold no NUL and no half of a surrogate pair.')
  }
  if (value !== null && typeof value === 'object') for (const one of Object.values(value)) requireSound(one)
}
