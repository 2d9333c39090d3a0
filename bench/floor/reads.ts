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
