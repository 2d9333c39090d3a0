-- What a person sends from a form or by a button of the console, by a key that was made when the form was opened: sent
-- twice, it is done once, and both are answered the same.
create table submissions (
  installer_id text not null references companies (id),
  member_id    text not null,
  key          text not null,
  request_hash text not null,
  begun_at     timestamptz(3) not null,
  -- Of the answer; null while it is being done.
  status       integer,
  -- Sealed, as it may show a secret once; null once it is kept no longer.
  answer       text,
  primary key (installer_id, member_id, key),
  foreign key (installer_id, member_id) references members (installer_id, id)
);
