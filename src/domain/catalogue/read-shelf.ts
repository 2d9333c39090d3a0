import type { Context } from '../kernel/context.ts'
import { authorize } from '../kernel/policy.ts'
import type { Kept, Shelf } from './shelf.ts'

/** All entries in the installer's own order, with those that are not offered. */
export function readShelf<T extends Kept>({ db, actor }: Context, shelf: Shelf<T>): Promise<T[]> {
  authorize(actor, 'catalogue.change')
  return shelf.list(db, actor.installerId)
}
