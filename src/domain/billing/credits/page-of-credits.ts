import { searchWords } from '../../deals/leads/search-words.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { listing } from '../../kernel/listing.ts'
import { authorize } from '../../kernel/policy.ts'
import { type ListedCredit, listCredits } from './queries.ts'

export interface CreditsWanted {
  /** Only those of which something is left. */
  left: boolean
  /** Words of a name or an email address. */
  search?: string | undefined
  after: string | null
  limit: number
}

/** A page of customers' credits, newest first; `next` is where it goes on. */
export const pageOfCredits = listing(
  'anything',
  async (
    ctx: Context,
    { left, search = '', after, limit }: CreditsWanted,
  ): Promise<{ credits: ListedCredit[]; next: string | null }> => {
    authorize(ctx.actor, 'billing.read')
    const wanted = { left, words: searchWords(search), after, limit: limit + 1 }
    const found = await listCredits(ctx.db, { ...scopeOf(ctx), ...wanted })
    const credits = found.slice(0, limit)
    return { credits, next: found.length > limit ? credits.at(-1)!.id : null }
  },
)
