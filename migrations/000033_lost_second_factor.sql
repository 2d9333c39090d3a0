-- When a second factor that the company requires of the member was removed by whoever reads their mail alone. Until an
-- owner or admin of the company says that it is them, they come no further there.
alter table members add column factor_lost_at timestamptz(3);

-- When the link of an invitation was shown in the outbox, as no mail was sent: sent later, it proves no address. Of
-- those that wait it is not known.
alter table invitations add column shown_at timestamptz(3);
update invitations set shown_at = now() where state = 'open' and mailed_at is null;

-- How often an address was written to, in the name of an installer or of any of its dealers.
create index invitations_to_address on invitations (installer_id, email, created_at);
