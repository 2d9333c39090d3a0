-- How bad an installation's worst open alert is (1 to 4; 0 where there is none), and the last day that it has readings of: those in
-- trouble are listed first without looking at all others. Whoever writes alerts or days writes these too; those of what was there
-- before, and of what the version before writes meanwhile, follow when alerts are looked for next.
alter table installations add column worst smallint not null default 0;
alter table installations add column last_day date;
