-- One cause is one alert: panels that fell out together are its members. A sensor that cannot be believed is of a type
-- of its own. Alerts of one panel or of a whole installation stay as they are.
alter table alerts
  -- where there are several, else empty; the first stays the first
  add column member_ids text[] not null default '{}',
  -- of each member what usual_ratio is of one panel
  add column usual_ratios real[] not null default '{}',
  -- when the fault began, as far as that was told: what begins at the same time has the same cause
  add column began_at timestamptz(3);
alter table alerts drop constraint alerts_type_check;
alter table alerts add constraint alerts_type_check
  check (type in ('outage', 'underperformance', 'data_gap', 'anomaly')) not valid;
alter table alerts validate constraint alerts_type_check;
alter table alerts add constraint alerts_members_check
  check (member_ids = '{}' or (panel_id is null and cardinality(member_ids) between 2 and 250)) not valid;
alter table alerts validate constraint alerts_members_check;
-- A fault is told once, however often it is found.
create unique index alerts_told_once on alerts (installer_id, installation_id, type, coalesce(panel_id, member_ids[1]))
  nulls not distinct where status <> 'resolved';
drop index alerts_open;
