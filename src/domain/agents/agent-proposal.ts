import type { NewInvoice } from '../billing/invoices/create-invoice.ts'
import type { Undoable } from '../deals/projects/move-stage.ts'
import type { ContractTerms, SaleTerms } from '../deals/sale/sale-items.ts'
import type { Context } from '../kernel/context.ts'
import type { Action } from '../kernel/policy.ts'

/** What an agent wants done. Records are named as the use cases take them: by id, deals by reference too. */
export type ProposalRequest =
  | { kind: 'move'; project: string; stage: string }
  | { kind: 'sale'; lead: string; terms: SaleTerms; contract: ContractTerms }
  | { kind: 'draftInvoice'; invoice: NewInvoice; finalize?: boolean; project?: string }
  | { kind: 'finalizeInvoice'; invoice: string }

export type ProposedKind = ProposalRequest['kind']
export type RequestOf<K extends ProposedKind> = Extract<ProposalRequest, { kind: K }>

/** The records that a proposal is about. */
export interface About {
  leadId: string | null
  projectId: string | null
  installationId: string | null
  invoiceId: string | null
}

/** What a proposal would do if it were done now. */
export interface Outlook {
  about: About
  /** Another one once the record has changed so that the proposal is no longer about what it was made for. */
  basis: string | null
  /** What is asked for, however it was written: the records by their ids, amounts as they are kept. */
  meaning: unknown
  /** In one line. */
  summary: string
  /** What follows from it, a sentence each. */
  follows: string[]
}

/** Something that can be proposed. */
export interface Proposable<R extends ProposalRequest> {
  /** What a person must be allowed to do. */
  action: Action
  /**
   * Works out what it would do, by the rules of its use case; throws what that would throw. Nothing is written. What is made
   * is `companyId`'s, whose key proposed it, whoever looks.
   */
  foresee(ctx: Context, request: R, companyId: string): Promise<Outlook>
  /** Does it. */
  carryOut(ctx: Context, request: R, companyId: string): Promise<CarriedOut>
}

export interface CarriedOut {
  /** The record that came of it. */
  resultId: string
  /** Where whoever approved it can take it back for a while. */
  undoable?: Undoable | null
}

/** Once approved or declined it stays so. `erased`: its customer was erased before anybody decided. */
export type StoredState = 'waiting' | 'approved' | 'declined' | 'expired' | 'erased'

/** As people see it: of a key that was revoked, what waits cannot be approved any more. */
export type ProposalState = StoredState | 'revoked'

export interface AgentProposal extends About {
  installerId: string
  id: string
  companyId: string
  keyId: string
  agentName: string
  kind: ProposedKind
  basis: string | null
  /** Null once its customer was erased. */
  input: ProposalRequest | null
  summary: string
  /** Why, in the agent's words: text of a machine, to be read as such. */
  reason: string | null
  state: StoredState
  createdAt: Date
  expiresAt: Date
  decidedAt: Date | null
  decidedBy: string | null
  decidedByName: string | null
  declinedBecause: string | null
  resultId: string | null
  /** Whether the key was revoked since. */
  keyRevoked: boolean
}

/** For how long a proposal waits. */
export const waitsMs = 14 * 86_400_000
/** As many may wait of one key. */
export const maxWaiting = 200
/** What was decided, or has waited in vain, is kept for so long. */
export const keptMs = 90 * 86_400_000
export const maxReason = 2_000

export function stateOf({ state, expiresAt, keyRevoked }: AgentProposal, now: Date): ProposalState {
  if (state !== 'waiting') return state
  if (keyRevoked) return 'revoked'
  return expiresAt <= now ? 'expired' : 'waiting'
}
