/** What a migration of a later version may do: played on a cluster, and held to the lint. */
export const laterMigration = `
-- contract: unused since 000001
create table lead_scores (
  installer_id text not null,
  lead_id text not null,
  day date not null,
  points int not null check (points >= 0),
  primary key (installer_id, lead_id, day)
);
create index lead_scores_by_day on lead_scores (installer_id, day);
create unique index lead_scores_once on lead_scores (installer_id, day, points);
alter table lead_scores add constraint lead_scores_lead foreign key (installer_id, lead_id) references leads (installer_id, id);
alter table lead_scores add constraint lead_scores_installer foreign key (installer_id) references companies (id);
create function refuse_past_score() returns trigger language plpgsql as $$
begin
  if old.day < '2000-01-01' then raise exception 'a score of the past stays'; end if;
  return new;
end $$;
create trigger refuse_past_score before update on lead_scores for each row execute function refuse_past_score();
create table score_names (name text primary key, note text);
insert into score_names values ('hot', 'a; b');
alter table leads add column score int not null default 0;
alter table leads add constraint leads_score_positive check (score >= 0) not valid;
alter table leads validate constraint leads_score_positive;
alter table members add column score_note text;
alter table lead_scores add column note text not null default '', add column seen_at timestamptz;
alter table lead_scores drop column seen_at;
create view hot_leads as select installer_id, id from leads where score > 50;
`

export const laterIndexes = `
create index concurrently if not exists leads_by_score on leads (installer_id, score);
create unique index concurrently if not exists members_by_score_note on members (installer_id, id, score_note);
`
