-- Who sends a mail holds it by a lease: until next_attempt_at nobody else takes it. One that ran out without an
-- outcome may have been sent, so how often that happened is counted.
alter table mails add column lease text;
alter table mails add column unanswered smallint not null default 0;
-- What a person waits for: a link to sign in, an invitation. It goes out beside everything else, not behind it.
alter table mails add column urgent boolean not null default false;

-- Two partial ones, so that the next tenant with a mail that is due is one step away whatever waits beside it.
create index mails_due on mails (installer_id, next_attempt_at) where state = 'queued' and not urgent;
create index mails_due_urgent on mails (installer_id, next_attempt_at) where state = 'queued' and urgent;
drop index mails_queued;
