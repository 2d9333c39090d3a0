import type { Db, Statement } from '../../../platform/db.ts'
import { maxViews, type View, type ViewPage } from './view.ts'

const listViewsStatement: Statement = {
  name: 'list-views',
  text: `select id, page, name, query from saved_views
    where installer_id = $1 and member_id = $2 and page = $3 order by name limit ${maxViews}`,
}

export function listViews(db: Db, installerId: string, memberId: string, page: ViewPage): Promise<View[]> {
  return db.query<View>(listViewsStatement, [installerId, memberId, page])
}

const saveViewStatement: Statement = {
  name: 'save-view',
  text: `insert into saved_views (installer_id, id, member_id, page, name, query, created_at)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (installer_id, member_id, page, name) do update set query = excluded.query
    returning id, page, name, query`,
}

/** Saves a view; one of the same name is replaced. */
export async function upsertView(
  db: Db,
  installerId: string,
  memberId: string,
  { id, page, name, query }: View,
  now: Date,
): Promise<View> {
  const [row] = await db.query<View>(saveViewStatement, [installerId, id, memberId, page, name, query, now])
  return row!
}

const removeViewStatement: Statement = {
  name: 'remove-view',
  text: 'delete from saved_views where installer_id = $1 and id = $2 and member_id = $3 returning id',
}

/** Whether there was such a view of the member's. */
export async function removeView(
  db: Db,
  installerId: string,
  memberId: string,
  id: string,
): Promise<boolean> {
  return (await db.query(removeViewStatement, [installerId, id, memberId])).length > 0
}
