import { type Fragment, raw, sql } from '../../../platform/sql/sql.ts'

/**
 * A project's rendering as it is read. An older version wrote it without the id of the stage: there it is put in here, so
 * that nothing had to be written anew. No text inside of a rendering looks like that place, as its quotes are escaped.
 */
export const shown = (rendering: string, project = 'p'): Fragment =>
  raw(`replace(${rendering}, '"stage":{"name":', '"stage":{"id":"' || ${project}.stage_id || '","name":')`)

export const shownRow = shown('p.row_rendering')
export const shownToInstaller = shown('p.rendering')
export const shownToDealer = shown('coalesce(p.dealer_rendering, p.rendering)')

const between = (text: Fragment, begin: string, end: string): Fragment => {
  const [from, to] = [sql`strpos(${text}, ${raw(`'${begin}'`)})`, sql`strpos(${text}, ${raw(`'${end}'`)})`]
  return sql`substr(${text}, ${from}, ${to} - ${from})`
}

/** Parts of a full rendering, by what stands behind them: keys in quotes are found nowhere else in it. */
export const milestonesOf = (full: Fragment): Fragment => between(full, '"milestones":{', ',"files":{')
export const filesOf = (full: Fragment): Fragment => between(full, '"files":{', ',"links":{"project":')
