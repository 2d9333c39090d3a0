-- The last move of a project in the console, as long as it can be taken back: what it did besides, so that this is undone too.
create table stage_moves (
  installer_id    text not null,
  project_id      text not null,
  id              text not null,
  -- its place in the tenant's order: what it wrote to the feed and to people stands there
  at              timestamptz(3) not null,
  from_stage_id   text not null,
  to_stage_id     text not null,
  entered_at      timestamptz(3) not null,
  -- what was stamped, made and put on the project by it, and was not there before
  milestone       text,
  installation_id text,
  checklist       text[] not null,
  undo_until      timestamptz(3) not null,
  primary key (installer_id, project_id),
  foreign key (installer_id, project_id) references projects (installer_id, id)
);

-- Mails that wait until a move can no longer be undone.
alter table mails add column move_id text;
create index mails_of_move on mails (installer_id, move_id) where move_id is not null;
