-- What panels made. A reading is of one panel and one time; a later value of the same takes its place. Energy is
-- counted in millionths of a kWh, so that sums are exact. Partitions are months of UTC; the server makes them, ahead
-- of time and where a late reading needs one (domain/energy/partitions.ts).
create table readings (
  installer_id text not null,
  panel_id     text not null,
  at           timestamptz(3) not null,
  microkwh     bigint not null,
  primary key (installer_id, panel_id, at)
) partition by range (at);

-- What a panel made in a day of its installation's zone, as a whole and hour by hour: hours[1] is the first hour of
-- the day; null, or beyond the end, where there is no reading. A day has 23 or 25 of them when the clock is changed.
-- Readings are never taken back, so a row that is there has some. Every row of a page is written anew each hour of its
-- first day: half the page left free lets that happen within it, without touching the index.
create table panel_days (
  installer_id text not null,
  panel_id     text not null,
  day          date not null,
  microkwh     bigint not null,
  readings     integer not null,
  hours        bigint[] not null,
  primary key (installer_id, panel_id, day)
) with (fillfactor = 50);

-- The same of all panels of an installation together, deleted ones included, and how many of them had readings.
create table installation_days (
  installer_id    text not null,
  installation_id text not null,
  day             date not null,
  microkwh        bigint not null,
  readings        integer not null,
  panels          integer not null,
  hours           bigint[] not null,
  primary key (installer_id, installation_id, day)
) with (fillfactor = 50);
