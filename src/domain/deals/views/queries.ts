import { row, select, text } from '../../../platform/sql/row.ts'
import { type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { exists, many, one } from '../../../platform/sql/statements.ts'
import { maxViews, type View, type ViewPage } from './view.ts'

const view = row<View>({ id: text, page: text, name: text, query: text })

interface OfMember {
  installerId: string
  memberId: string
}

export const listViews = many(
  view,
  ($: Params<OfMember & { page: ViewPage }>) => sql`
    select ${select(view)} from saved_views
    where installer_id = ${$.installerId} and member_id = ${$.memberId} and page = ${$.page}
    order by name limit ${raw(maxViews)}`,
)

/** Saves a view; one of the same name is replaced. */
export const upsertView = one(
  view,
  ($: Params<OfMember & View & { now: Date }>) => sql`
    insert into saved_views (installer_id, id, member_id, page, name, query, created_at)
    values (${$.installerId}, ${$.id}, ${$.memberId}, ${$.page}, ${$.name}, ${$.query}, ${$.now})
    on conflict (installer_id, member_id, page, name) do update set query = excluded.query
    returning ${select(view)}`,
)

/** Whether there was such a view of the member's. */
export const deleteViewRow = exists(
  ($: Params<OfMember & { id: string }>) => sql`
    delete from saved_views
    where installer_id = ${$.installerId} and id = ${$.id} and member_id = ${$.memberId} returning id`,
)
