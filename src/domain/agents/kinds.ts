import type { Context } from '../kernel/context.ts'
import type { Action } from '../kernel/policy.ts'
import type {
  CarriedOut,
  Outlook,
  Proposable,
  ProposalRequest,
  ProposedKind,
  RequestOf,
} from './agent-proposal.ts'
import { draftInvoice, finalizing } from './propose-bill.ts'
import { move } from './propose-move.ts'
import { sale } from './propose-sale.ts'

const kinds: { [K in ProposedKind]: Proposable<RequestOf<K>> } = {
  move,
  sale,
  draftInvoice,
  finalizeInvoice: finalizing,
}

const kindOf = ({ kind }: ProposalRequest) => kinds[kind] as Proposable<ProposalRequest>

export const actionOf = (kind: ProposedKind): Action => kinds[kind].action

export const foresee = (ctx: Context, request: ProposalRequest, companyId: string): Promise<Outlook> =>
  kindOf(request).foresee(ctx, request, companyId)

export const carryOut = (ctx: Context, request: ProposalRequest, companyId: string): Promise<CarriedOut> =>
  kindOf(request).carryOut(ctx, request, companyId)
