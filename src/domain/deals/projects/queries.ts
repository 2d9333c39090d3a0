import type { Db } from '../../../platform/db.ts'
import { isId, isReference } from '../../../platform/ids.ts'
import { instant, integer, row, text, textBytes } from '../../../platform/sql/row.ts'
import { type Params, pick, raw, sql, when } from '../../../platform/sql/sql.ts'
import { maybeOne, maybeScalar, one } from '../../../platform/sql/statements.ts'
import type { LineScope } from '../../kernel/context.ts'
import { perPage } from '../renderings/counted-lists.ts'
import { pagesOf } from '../renderings/page.ts'
import { shownRow, shownToDealer, shownToInstaller } from './shown.ts'

/** One project, named by its id or reference, or its lead's. */
interface Named {
  installerId: string
  companyId: string | null
  by: 'id' | 'leadId' | 'reference' | 'leadReference'
  key: string
}

const isNamed = ($: Params<Named>) => sql`p.installer_id = ${$.installerId}
  ${when($.companyId, sql`and p.company_id = ${$.companyId}`)} and ${pick($.by, {
    id: sql`p.id = ${$.key}`,
    leadId: sql`p.lead_id = ${$.key}`,
    reference: sql`p.reference = ${$.key}`,
    leadReference: sql`p.lead_id = (
      select id from leads where installer_id = ${$.installerId} and reference = ${$.key})`,
  })}`

/** A reference may be the project's or its lead's. */
async function findBy<T>(key: string, read: (by: Named['by']) => Promise<T | null>): Promise<T | null> {
  if (isId(key, 'proj')) return read('id')
  if (isId(key, 'lead')) return read('leadId')
  if (isReference(key)) return (await read('reference')) ?? (await read('leadReference'))
  return null
}

const projectRendering = maybeScalar(
  { rendering: text },
  ($: Params<Named>) => sql`
    select ${when($.companyId, shownToDealer, shownToInstaller)} as rendering
    from projects p where ${isNamed($)}`,
  { shared: 'read' },
)

/** A project's rendering by its id or reference, or its lead's; `companyId` confines to one company's. */
export const readProject = (
  db: Db,
  installerId: string,
  companyId: string | null,
  key: string,
): Promise<string | null> => findBy(key, (by) => projectRendering(db, { installerId, companyId, by, key }))

/** Of an item of a checklist: what it says, and whether that is done. */
export interface ListedItem {
  stageId: string
  label: string
  done: boolean
}

interface WithChecklist {
  rendering: string
  items: ListedItem[]
  /** Of the directory that its stages are to be looked up in. */
  directoryVersion: number
}

// By ordinary text: building JSON of a few short rows would take longer than reading them.
const separator = '\x1f'
const renderingWithChecklist = maybeOne(
  row<Omit<WithChecklist, 'items'> & { listed: string | null }>({
    rendering: text,
    listed: text,
    directoryVersion: integer,
  }),
  ($: Params<Named>) => sql`
    select ${when($.companyId, shownToDealer, shownToInstaller)} as rendering, (
        select string_agg(c.ordinal || ' ' || c.stage_id || case when c.done_at is null then ' - ' else ' x ' end
          || translate(c.label, e'\\x1f', ' '), e'\\x1f')
        from checklist_items c where c.installer_id = ${$.installerId} and c.project_id = p.id
      ) as listed, (
        select t.directory_version from tenant_clocks t where t.installer_id = ${$.installerId}
      ) as "directoryVersion"
    from projects p where ${isNamed($)}`,
  { shared: 'read' },
)

const listedForm = /^(\d+) (\S+) ([-x]) (.*)$/s

/** What was listed, in the order of its stages and in that of each. */
function itemsOf(listed: string): ListedItem[] {
  const items = listed.split(separator).map((item) => {
    const [, ordinal, stageId, mark, label] = listedForm.exec(item)!
    return { ordinal: Number(ordinal), stageId: stageId!, label: label!, done: mark === 'x' }
  })
  items.sort((a, b) => (a.stageId === b.stageId ? a.ordinal - b.ordinal : a.stageId < b.stageId ? -1 : 1))
  return items
}

/** The same with its checklist, by one statement: statements are most of the time it takes. */
export async function readProjectWithChecklist(
  db: Db,
  installerId: string,
  companyId: string | null,
  key: string,
): Promise<WithChecklist | null> {
  const found = await findBy(key, (by) => renderingWithChecklist(db, { installerId, companyId, by, key }))
  if (found === null) return null
  const { rendering, listed, directoryVersion } = found
  return { rendering, items: listed === null ? [] : itemsOf(listed), directoryVersion }
}

/** A page of project rows by the time of their last change. */
export const listProjects = pagesOf('projects p', shownRow)

const legacyRendering = maybeScalar(
  { record: text },
  ($: Params<Named & LineScope>) => sql`
    select p.legacy_rendering as record from projects p
    where ${isNamed($)} and p.product_line = ${$.productLine}`,
  { shared: 'read' },
)

/** A project of one product line in the words of the legacy API, by its id or reference, or its lead's. */
export const readLegacyProject = (db: Db, scope: LineScope, key: string): Promise<string | null> =>
  findBy(key, (by) => legacyRendering(db, { ...scope, by, key }))

const legacyPage = one(
  row<{ rows: Buffer | null; count: number; first: Date | null; next: Date | null }>({
    rows: textBytes,
    count: integer,
    first: instant,
    next: instant,
  }),
  ($: Params<LineScope & { start: Date }>) => {
    const listed = sql`installer_id = ${$.installerId} and product_line = ${$.productLine}
      ${when($.companyId, sql`and company_id = ${$.companyId}`)}`
    return sql`select page.rows, page.count, page.first, (
        select updated_at from projects where ${listed} and updated_at < page.last order by updated_at desc limit 1
      ) as next
      from (
        select string_agg(record, ',') as rows, count(*)::int as count, max(at) as first, min(at) as last from (
          select legacy_rendering as record, updated_at as at from projects
          where ${listed} and updated_at <= ${$.start} order by updated_at desc limit ${raw(perPage)}
        ) records
      ) page`
  },
)

/** The page of legacy projects that begins with the one changed at `start`, its records joined by commas. */
export async function readLegacyProjectPage(db: Db, scope: LineScope, start: Date) {
  const { rows, ...found } = await legacyPage(db, { ...scope, start })
  return { rows: rows ?? Buffer.alloc(0), ...found }
}
