-- Times of most of a day or more in which an installation sent nothing: from its last reading until newer ones were
-- seen. Loggers that send once a night are told by them from those that fell silent.
create table reporting_silences (
  installer_id    text not null references companies (id),
  installation_id text not null,
  began_at        timestamptz(3) not null,
  ended_at        timestamptz(3),
  primary key (installer_id, installation_id, began_at),
  foreign key (installer_id, installation_id) references installations (installer_id, id)
);
