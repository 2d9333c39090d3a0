import { newId } from '../../../platform/ids.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { deleteViewRow, listViews, upsertView } from './queries.ts'
import { maxViews, type View } from './view.ts'

/** Keeps a member's view of a page; one of the same name is replaced. */
export async function saveView({ db, actor, now }: Context, view: Omit<View, 'id'>): Promise<View> {
  const { installerId, id: memberId } = actor
  const there = await listViews(db, { installerId, memberId: memberId!, page: view.page })
  if (there.length >= maxViews && !there.some(({ name }) => name === view.name))
    throw new DomainError('invalid', `You have ${maxViews} views here already. Remove one first.`)
  return upsertView(db, { installerId, memberId: memberId!, ...view, id: newId('view'), now })
}

/** Forgets one of the member's own views. */
export async function deleteView({ db, actor }: Context, id: string): Promise<void> {
  if (!(await deleteViewRow(db, { installerId: actor.installerId, memberId: actor.id!, id })))
    throw notFound('view')
}
