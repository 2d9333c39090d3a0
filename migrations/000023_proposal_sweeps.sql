-- What is swept of all companies has indexes that no company's list fits: beside a company that has many, a small one's list
-- was read along these, through everything of the other's.
-- contract: the version before sweeps without an index until its hosts have gone; there is little of what it looks through.
create index concurrently if not exists agent_proposals_to_delete
  on agent_proposals (decided_at) where decided_at is not null and state <> 'waiting';
drop index concurrently if exists agent_proposals_swept;
create index concurrently if not exists agent_proposals_to_expire
  on agent_proposals (expires_at) where state = 'waiting' and decided_at is null;
drop index concurrently if exists agent_proposals_expiring;
