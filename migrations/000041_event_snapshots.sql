-- What is told of a change is written by the statement that makes it, from the rendering that it writes: whoever delivers
-- reads it as it was then. Before, it was made from the record as it stood when the log was read.

-- the newest number of the tenant's messages: on the row that every change advances and locks anyway
alter table tenant_clocks add column messages bigint not null default 0;
update tenant_clocks c set messages = k.number from webhook_cursors k where k.installer_id = c.installer_id;

alter table webhook_messages
  -- what it tells of: endpoints are told of one record in order
  add column subject_id text,
  -- whose customer it may name
  add column lead_id    text;
update webhook_messages m set subject_id = e.subject_id, lead_id = e.lead_id
  from events e where e.installer_id = m.installer_id and e.at = m.event_at and e.ordinal = m.event_ordinal;

-- What was written and not handed out yet, made here from the records as they are, as it would have been. The public
-- address is left open (\x01) and filled in when it is sent.
with pending as (
  select e.*, k.number as newest, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as stamp
  from webhook_cursors k join events e on e.installer_id = k.installer_id and (e.at, e.ordinal) > (k.at, k.ordinal)
  where e.type in ('lead.created', 'lead.updated', 'project.created', 'project.updated', 'project.stage_changed',
      'file.added', 'panel.created', 'panel.updated', 'panel.deleted', 'installation.created', 'alert.triggered',
      'alert.acknowledged', 'alert.resolved', 'invoice.created', 'invoice.finalized', 'invoice.paid', 'invoice.voided')
    and exists (select from webhooks w where w.installer_id = k.installer_id and w.deleted_at is null)
), told as (
  select p.*, false as for_dealer, true as to_dealers, p.data::text as text from pending p where p.data is not null
  union all
  select p.*, false, true, left(r.rendering, -1) || ',"version":' || (extract(epoch from r.updated_at) * 1000)::bigint
      || case when r.erased_at is null then '' else ',"erased":true' end || '}'
    from pending p join leads r on r.installer_id = p.installer_id and r.id = p.subject_id where p.type like 'lead.%'
  union all
  select p.*, view.for_dealer, r.dealer_rendering is null, left(view.rendering, -1) || ',"version":'
      || (extract(epoch from r.updated_at) * 1000)::bigint || case when l.erased_at is null then '' else ',"erased":true' end || '}'
    from pending p join projects r on r.installer_id = p.installer_id and r.id = p.subject_id
      join leads l on l.installer_id = r.installer_id and l.id = r.lead_id
      cross join lateral (values (false, r.rendering), (true, r.dealer_rendering)) as view(for_dealer, rendering)
    where p.type like 'project.%' and view.rendering is not null
  union all
  select p.*, false, r.folder <> 'internal', json_build_object('id', r.id, 'name', r.name, 'folder', r.folder,
      'url', 'URL', 'project_id', r.project_id, 'version', (extract(epoch from p.at) * 1000)::bigint)::text
    from pending p join files r on r.installer_id = p.installer_id and r.id = p.subject_id where p.type = 'file.added'
), numbered as (
  select t.*, t.newest + row_number() over (partition by t.installer_id order by t.at, t.ordinal, t.for_dealer) as number,
    case when t.type <> 'file.added' then t.text else (
      select replace(t.text, '"url" : "URL"', '"url":"' || E'\x01' || '/files/' || c.number || '/' || f.token || '/' || f.id || '"')
      from files f join companies c on c.id = f.installer_id where f.installer_id = t.installer_id and f.id = t.subject_id) end as data_text
  from told t
), written as (
  insert into webhook_messages (installer_id, number, event_at, event_ordinal, for_dealer, to_dealers, type, company_id,
    subject_id, lead_id, body)
  select n.installer_id, n.number, n.at, n.ordinal, n.for_dealer, n.to_dealers, n.type, n.company_id, n.subject_id, n.lead_id,
    '{"type":"' || n.type || '","timestamp":"' || n.stamp || '","data":' || n.data_text || '}'
  from numbered n on conflict do nothing
  returning installer_id, number
)
update tenant_clocks c set messages = w.newest
from (select installer_id, max(number) as newest from written group by installer_id) w where w.installer_id = c.installer_id;

create index webhook_messages_by_record on webhook_messages (installer_id, coalesce(lead_id, subject_id), event_at, event_ordinal);

-- Nothing is handed out any more: the cursor says up to where endpoints were woken.
alter table webhook_cursors add column woken bigint;
update webhook_cursors set woken = number;
alter table webhook_cursors
  alter column woken set not null,
  drop column at,
  drop column ordinal,
  drop column number;

-- What happens while an endpoint is disabled waits for it, from now on. What waited until it was last enabled is sent one
-- by one.
alter table webhooks add column enabled_at timestamptz(3);
update webhooks w set not_told = w.not_told - tstzmultirange(tstzrange(c.now, null, '()'))
from tenant_clocks c where c.installer_id = w.installer_id and w.status = 'disabled' and w.deleted_at is null;
