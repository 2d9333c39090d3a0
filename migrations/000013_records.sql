-- Who put a file there: they may take it away again.
alter table files add column added_by text;

-- What a notification is about, where it is no project.
alter table notifications add column lead_id text;
