import type { Statement } from '../../src/platform/db.ts'

export const readLead: Statement = {
  name: 'floor-read-lead',
  text: 'select rendering from leads where installer_id = $1 and id = $2',
}

export const readProject: Statement = {
  name: 'floor-read-project',
  text: 'select rendering from projects where installer_id = $1 and id = $2',
}

const list = (table: string, column: string): Statement => ({
  name: `floor-list-${table}`,
  text: `select string_agg(${column}, ',') from (
    select ${column} from ${table} where installer_id = $1 order by updated_at desc limit 50) page`,
})

export const listLeads = list('leads', 'rendering')
export const listProjects = list('projects', 'row_rendering')

export const legacyReadProject: Statement = {
  name: 'floor-legacy-read-project',
  text: 'select legacy_rendering from projects where installer_id = $1 and id = $2',
}

export const legacyListProjects: Statement = {
  name: 'floor-legacy-list-projects',
  text: `select string_agg(legacy_rendering, ',') from (
    select legacy_rendering from projects where installer_id = $1 and company_id = $1 and product_line = 'solar'
    order by updated_at desc limit 100) page`,
}

export const readEvents: Statement = {
  name: 'floor-read-events',
  text: `select string_agg(body, ',') from (
    select body from webhook_messages where installer_id = $1 order by event_at, event_ordinal limit 100) page`,
}
