import type { Statement } from '../../src/platform/db.ts'

const listed = `'{"id":"' || id || '","name":' || to_json(name)::text || ',"capacity_kw":' || trim_scale(capacity_kw)
    || ',"status":"' || status || '","daily_output_kwh":' || trim_scale(microkwh * 0.000001)
    || ',"installation_id":"' || installation_id || '"'`
const utc = (at: string) => `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const changed = `',"updated_at":"' || ${utc('coalesce(updated_at, created_at)')} || '"}'`

const latestDay = (panel: string) => `cross join lateral (
      select microkwh from panel_days where installer_id = $1 and panel_id = ${panel} order by day desc limit 1) latest`

export const readPanel: Statement = {
  name: 'floor-read-panel',
  text: `select ${listed} || ',"metadata":' || metadata::text
      || ',"created_at":"' || ${utc('created_at')} || '"' || ${changed}
    from panels ${latestDay('$2')} where installer_id = $1 and id = $2 and deleted_at is null`,
}

export const listPanels: Statement = {
  name: 'floor-list-panels',
  text: `select string_agg(${listed} || ${changed}, ',') from (
      select id, name, capacity_kw, status, installation_id, created_at, updated_at from panels where installer_id = $1 and deleted_at is null
      order by id desc limit 50) page
    ${latestDay('id')}`,
}
