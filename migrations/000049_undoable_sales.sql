-- A sale in the console can be taken back for as long as its mails wait: it is a move from no stage, and the lead is again
-- what it was before.
alter table stage_moves
  alter column from_stage_id drop not null,
  add column lead_status text;
