-- A key that was made for an agent: what it writes carries the agent's name. One that proposes may not move stages, sell or
-- bill by itself.
alter table api_keys add column agent_name text;
alter table api_keys add column proposes boolean not null default false;

-- What an agent proposes and a person decides. Everything that tells of a customer stands in `input`, `summary`, `reason`
-- and `declined_because`, which are emptied when the customer is erased.
create table agent_proposals (
  installer_id     text not null,
  id               text not null,
  -- whose key proposed it
  company_id       text not null,
  key_id           text not null,
  agent_name       text not null,
  kind             text not null,
  -- what it is about, as far as there is such a record
  lead_id          text,
  project_id       text,
  installation_id  text,
  invoice_id       text,
  -- by which its record is found to have changed: the stage that it was in, the version of an invoice
  basis            text,
  input            jsonb,
  -- of the kind and the input: the same is not proposed twice while it waits
  digest           bytea not null,
  summary          text not null,
  reason           text,
  state            text not null check (state in ('waiting', 'approved', 'declined', 'expired', 'erased')),
  created_at       timestamptz(3) not null,
  expires_at       timestamptz(3) not null,
  decided_at       timestamptz(3),
  decided_by       text,
  decided_by_name  text,
  declined_because text,
  -- the record that its approval made
  result_id        text,
  primary key (installer_id, id)
);
create index agent_proposals_waiting on agent_proposals (installer_id, created_at, id) where state = 'waiting';
create index agent_proposals_waiting_of_company
  on agent_proposals (installer_id, company_id, created_at, id) where state = 'waiting';
create index agent_proposals_waiting_of_key on agent_proposals (installer_id, key_id, digest) where state = 'waiting';
create index agent_proposals_decided
  on agent_proposals (installer_id, decided_at, id) where decided_at is not null;
create index agent_proposals_decided_of_company
  on agent_proposals (installer_id, company_id, decided_at, id) where decided_at is not null;
create index agent_proposals_of_agent on agent_proposals (installer_id, company_id, agent_name, created_at, id);
create index agent_proposals_of_lead on agent_proposals (installer_id, lead_id);
create index agent_proposals_of_installation on agent_proposals (installer_id, installation_id);
create index agent_proposals_of_invoice on agent_proposals (installer_id, invoice_id);
-- of all companies: what has waited too long, and what was kept long enough
create index agent_proposals_expiring on agent_proposals (expires_at) where state = 'waiting';
create index agent_proposals_swept on agent_proposals (decided_at) where decided_at is not null;
