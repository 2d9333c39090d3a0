import type { ProposalRequest } from '../../src/domain/agents/agent-proposal.ts'
import type { Context } from '../../src/domain/kernel/context.ts'
import type { Role } from '../../src/domain/kernel/tenant/member.ts'
import type { NewKey } from '../../src/domain/tenants/keys/create-key.ts'
import { type Actors, keyFor, member, type World } from './factories.ts'

/** An agent of a company, by a key of its own that may only propose unless it is said otherwise. */
export async function agentOf(world: World, of: Actors, more: Partial<NewKey> = {}) {
  const asked = { agentName: 'Ada', proposes: true, ...more }
  const { secret, key } = await keyFor(world, of, asked)
  const agent = { name: asked.agentName!, proposes: asked.proposes }
  const as = (now?: Date): Context => {
    const ctx = of.as(now)
    const name = `${agent.name} (agent)`
    return { ...ctx, actor: { ...ctx.actor, kind: 'key', id: key.id, name, agent } }
  }
  return { secret, key, as }
}

/** A person of a company, in a role. */
export async function personOf(world: World, of: Actors, name: string, role: Role) {
  const { id } = await member(world, of, name, role)
  const as = (now?: Date): Context => {
    const ctx = of.as(now)
    return { ...ctx, actor: { ...ctx.actor, id, name, role } }
  }
  return { id, as }
}

/** A solar lead, sold for 20,000. */
export function saleOf(lead: string, panel: string, inverter: string): ProposalRequest {
  return {
    kind: 'sale',
    lead,
    terms: {
      system: {
        panels: { id: panel, count: 20 },
        inverters: { id: inverter, count: 20 },
        batteries: null,
        adders: [],
        annualProductionKwh: '12000',
        annualConsumptionKwh: null,
      },
      products: null,
      price: { perWatt: null, custom: '20000.00' },
      financing: {
        type: 'cash',
        lender: null,
        amount: null,
        aprPercent: null,
        termMonths: null,
        monthlyPayment: null,
        dealerFeePercent: null,
      },
    },
    contract: { signed: '2026-03-02', signedField: 'contract.signedAt', price: '20000.00', notes: null },
  }
}
