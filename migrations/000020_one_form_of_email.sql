-- A person's address is kept in one form (src/domain/members/email.ts) and found by being equal to it: what the
-- database makes of capitals depends on its locale. Members that are kept otherwise are brought into it by the next
-- start, as a change of what shows them.
drop index members_by_person;
drop index members_by_email;
create unique index members_by_email on members (installer_id, company_id, email);
create index members_by_address on members (email);

-- Of two accounts that would become one, the one that has the form already or is older gets it; the other stays.
update auth_users u set email = n.form
from (
  select id, form, row_number() over (partition by form order by email = form desc, "createdAt", id) as place
  from (
    select id, email, "createdAt",
      translate(email, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') as form
    from auth_users
  ) formed
) n
where n.id = u.id and n.place = 1 and u.email <> n.form;

-- Customers' addresses are kept as they were written.
drop index mails_by_address;
create index mails_by_address on mails (
  installer_id, translate(to_address, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'), created_at, id
);
