-- The lists of the console sort by their headers: each order has its index, of the tenant and of a company.
-- A draft without a due date comes after all that have one.
create index invoices_by_due on invoices (installer_id, coalesce(due_date, 'infinity'::date), id);
create index invoices_by_company_due on invoices (installer_id, company_id, coalesce(due_date, 'infinity'::date), id);
create index invoices_by_amount on invoices (installer_id, amount_due, id);
create index invoices_by_company_amount on invoices (installer_id, company_id, amount_due, id);

create index installations_by_company_name on installations (installer_id, company_id, name, id);
create index installations_by_size on installations (installer_id, coalesce(capacity_kw, panels_kw), id);
create index installations_by_company_size on installations (installer_id, company_id, coalesce(capacity_kw, panels_kw), id);
