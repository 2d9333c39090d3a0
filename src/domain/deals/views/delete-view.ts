import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { removeView } from './queries.ts'

/** Forgets one of the member's own views. */
export async function deleteView({ db, actor }: Context, id: string): Promise<void> {
  if (!(await removeView(db, { installerId: actor.installerId, memberId: actor.id!, id })))
    throw notFound('view')
}
