import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tenancyHoles } from '../support/tenancy.ts'

const tables = new Set(['leads', 'projects', 'files'])

const held = [
  'select id from leads where installer_id = $1 and id = $2',
  'select id from leads l where $1 = l.installer_id',
  'select id from leads where installer_id = $1::text',
  'select l.id from leads l join projects p on p.installer_id = l.installer_id and p.lead_id = l.id where l.installer_id = $1',
  'select l.id from leads l join projects p using (installer_id, lead_id) where p.installer_id = $1',
  'select l.id from leads l left join projects p on p.installer_id = l.installer_id and p.lead_id = l.id where l.installer_id = $1',
  'select l.id from leads l left join projects p on p.installer_id = $1 where l.installer_id = $1',
  'select id from leads where (installer_id, id) = ($1, $2)',
  'select id from leads where (installer_id = $1 and id = $2) or (installer_id = $1 and reference = $2)',
  'select id from leads where installer_id = $1 union all select id from projects where installer_id = $1',
  'select id from leads l where installer_id = $1 and exists (select from projects p where p.installer_id = l.installer_id)',
  'select id from leads where (installer_id, id) in (select installer_id, lead_id from projects where installer_id = $1)',
  'select l.id, p.id from leads l cross join lateral (select id from projects where installer_id = l.installer_id) p where l.installer_id = $1',
  'select s.id from (select * from leads where installer_id = $1) s join projects p on p.installer_id = s.installer_id',
  'with l as (select installer_id, id from leads where installer_id = $1) select p.id from l join projects p on p.installer_id = l.installer_id',
  'with l as (delete from leads where installer_id = $1 returning *) insert into projects (installer_id, id) select installer_id, id from l',
  'insert into leads (id, installer_id) values ($2, $1), ($3, $1)',
  'insert into leads (installer_id, id) select $1, id from unnest($2::text[]) as n(id)',
  'insert into leads as l (installer_id, id) values ($1, $2) on conflict (installer_id, id) do update set note = excluded.note where l.installer_id = excluded.installer_id',
  'update leads set note = $2 from projects p where leads.installer_id = $1 and p.installer_id = leads.installer_id and p.lead_id = leads.id',
  'delete from leads l using projects p where l.installer_id = p.installer_id and p.installer_id = $1',
  'with recursive r as (select installer_id, id from leads where installer_id = $1 union all select l.installer_id, l.id from r join leads l on l.installer_id = r.installer_id) select * from r',
  'select 1',
  'select x.id from other x where x.id = $1',
]

/** Each names the installer, and is held to none. */
const open: Record<string, string> = {
  'only selected': 'select installer_id, id from leads where id = $2',
  'in a comment': 'select id from leads where id = $2 -- installer_id = $1',
  'in a text': `select id from leads where note = 'installer_id = $1'`,
  'in returning': 'update leads set note = $2 where id = $3 returning installer_id',
  'passed by an or': 'select id from leads where installer_id = $1 or $2',
  'in one branch of an or': 'select id from leads where (installer_id = $1 and id = $2) or reference = $2',
  'with itself': 'select id from leads where installer_id = installer_id',
  'with another parameter': 'select id from leads where installer_id = $2 and id = $1',
  'not equal': 'select id from leads where installer_id <> $1',
  'like it': 'select id from leads where installer_id like $1',
  'one of several': 'select id from leads where installer_id = any($2)',
  'or none': 'select id from leads where ($1 is null or installer_id = $1)',
  denied: 'select id from leads where not (installer_id = $1)',
  'by a quoted name': 'select id from "leads" where "id" = $2 and $1 = $1',
  'by a qualified name': 'select id from public.leads where id = $2 and $1 = $1',
  'only its neighbour':
    'select p.id from leads l join projects p on p.lead_id = l.id where l.installer_id = $1',
  'on the kept side of an outer join':
    'select l.id from leads l left join projects p on p.installer_id = l.installer_id and l.installer_id = $1',
  'of a whole outer join':
    'select 1 from leads l full join projects p on l.installer_id = $1 and p.installer_id = $1',
  'only outside of a subquery':
    'select id from leads l where installer_id = $1 and exists (select from projects p where p.lead_id = l.id)',
  'only in one half of a union':
    'select id from leads where installer_id = $1 union all select id from projects where id = $2',
  'only inside of a cte':
    'with l as (select id from leads where installer_id = $1) select p.id from l join projects p on p.lead_id = l.id',
  'by a column of that name that is another':
    'with l as (select id as installer_id from leads where installer_id = $1) select p.id from l join projects p on p.installer_id = l.installer_id',
  'of a table of that name inside':
    'select id from leads where exists (select from projects leads where leads.installer_id = $1)',
  'inserted from elsewhere':
    'insert into leads (installer_id, id) select p.id, $1 from projects p where p.installer_id = $1',
  'inserted without': 'insert into leads (id) values ($1)',
  'in the second of two rows': 'insert into leads (installer_id, id) values ($1, $2), ($2, $1)',
  'on a conflict of another key':
    'insert into leads (installer_id, id) values ($1, $2) on conflict (id) do update set note = $3',
  'given away': 'update leads set installer_id = $2 where installer_id = $1',
  'in the set of an update':
    'update leads set note = (select note from projects where id = $2) where installer_id = $1',
  'of what is used for a deletion':
    'delete from leads l using projects p where l.installer_id = $1 and p.lead_id = l.id',
  'in the condition of a case':
    'select id from leads where case when installer_id = $1 then true else id = $2 end',
  'as a scalar of the select list':
    'select (select count(*) from leads) from projects where installer_id = $1',
  'in the order': 'select id from leads order by installer_id = $1',
  'by a join that is not lateral':
    'select l.id from leads l join projects p on true where l.installer_id = $1',
  merged: 'merge into leads l using projects p on l.installer_id = $1 when matched then delete',
}

test('what is held to its tenant is found to be', async () => {
  for (const text of held) assert.deepEqual(await tenancyHoles(text, tables), [], text)
})

for (const [how, text] of Object.entries(open))
  test(`a hole is found: the installer ${how}`, async () => {
    assert.notDeepEqual(await tenancyHoles(text, tables), [], text)
  })

test('without the tenant as a parameter nothing is held', async () => {
  assert.notDeepEqual(await tenancyHoles('select id from leads where installer_id = $1', tables, false), [])
})
