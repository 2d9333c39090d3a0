import { type Context, confinedTo } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { requireCompanyOf, requireMember, requireStages } from '../../kernel/tenant/require-named.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import { searchWords } from '../leads/search-words.ts'
import type { LookedPage } from '../renderings/looked-page.ts'
import type { PageRequest } from '../renderings/page.ts'
import { listFilteredProjects, type Shown } from './filtered-queries.ts'

export interface ProjectsAsked {
  productLine?: ProductLine
  /** A stage's id or name. */
  stage?: string
  companyId?: string
  /** A member's id or email. */
  salesRep?: string
  search?: string
  installDateFrom?: string
  installDateTo?: string
}

/** What may be shown of a project besides its row; `project` is all of it. */
export const expansions = ['project', 'milestones', 'files'] as const
export type Expansion = (typeof expansions)[number]

/** A page of the projects that are asked for. */
export async function listProjectsAsked(
  { db, directories, actor }: Context,
  asked: ProjectsAsked,
  page: PageRequest,
  expand: ReadonlySet<Expansion>,
): Promise<LookedPage> {
  const { productLine: line, stage, companyId, salesRep, search = '', installDateFrom, installDateTo } = asked
  if (installDateFrom && installDateTo && installDateTo < installDateFrom)
    throw new DomainError('invalid', 'installDateTo must not be before installDateFrom.')
  const directory = await directories.current(db, actor.installerId)
  const company = companyId === undefined ? null : requireCompanyOf(directory, actor, companyId)
  const filters = {
    installerId: actor.installerId,
    companyId: confinedTo(actor) ?? company,
    toDealer: confinedTo(actor) !== null,
    line,
    stages: stage === undefined ? [] : requireStages(directory, stage, line).map(({ id }) => id),
    rep: salesRep === undefined ? undefined : requireMember(directory, actor, salesRep).id,
    installFrom: installDateFrom,
    installTo: installDateTo,
    words: searchWords(search),
  }
  return listFilteredProjects(db, filters, page, shownOf(expand))
}

function shownOf(expand: ReadonlySet<Expansion>): Shown {
  if (expand.has('project')) return 'full'
  if (expand.has('milestones')) return expand.has('files') ? 'withBoth' : 'withMilestones'
  return expand.has('files') ? 'withFiles' : 'row'
}
