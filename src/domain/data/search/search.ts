import type { LeadStatus } from '../../deals/leads/lead.ts'
import { searchWords } from '../../deals/leads/search-words.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { listing } from '../../kernel/listing.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import { findRecords } from './queries.ts'

interface Found {
  id: string
  customer: string | null
  /** Street and city. */
  place: string | null
  contact: string | null
  productLine: ProductLine
  /** The dealer that it belongs to; null where that is the installer. */
  dealer: string | null
}

export interface SearchResult {
  leads: (Found & { status: LeadStatus })[]
  projects: (Found & { stage: string | null })[]
}

/** What the person may see that holds what they typed. What is sold is found as its project. */
export const search = listing('clocked', async (ctx: Context, text: string): Promise<SearchResult> => {
  const words = searchWords(text)
  if (words.length === 0) return { leads: [], projects: [] }
  const directory = await ctx.directories.current(ctx.db, ctx.actor.installerId)
  const rows = await findRecords(ctx.db, { ...scopeOf(ctx), words })
  const found = (row: (typeof rows)[number]): Found => {
    const company = directory.companies.get(row.companyId)
    return {
      id: row.projectId ?? row.leadId,
      customer: [row.firstName, row.lastName].filter(Boolean).join(' ') || null,
      place: [row.line1, row.city].filter(Boolean).join(', ') || null,
      contact: row.phone ?? row.email,
      productLine: row.productLine,
      dealer: company?.kind === 'dealer' ? company.name : null,
    }
  }
  return {
    leads: rows.filter((row) => row.projectId === null).map((row) => ({ ...found(row), status: row.status })),
    projects: rows
      .filter((row) => row.projectId !== null)
      .map((row) => ({ ...found(row), stage: directory.stages.get(row.stageId!)?.name ?? null })),
  }
})
